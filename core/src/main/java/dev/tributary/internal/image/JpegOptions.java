package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;

/**
 * The settings by which a JPEG image is written.
 *
 * @param quality from 0 (smallest) to 100
 * @param progressive whether a viewer can show it coarsely before all of it is there
 * @param optimized whether to look for the codes that make the file smallest
 * @param downsampled whether colours have half the height and width
 * @param density what the size of a pixel is
 * @param xmp XMP metadata to put into the file; none if empty
 */
public record JpegOptions(
    int quality,
    boolean progressive,
    boolean optimized,
    boolean downsampled,
    Density density,
    String xmp) {
  /**
   * The pixels in a unit of length.
   *
   * @param unit 1 for inches, 2 for centimeters
   */
  public record Density(int unit, int horizontal, int vertical) {}

  public JpegOptions {
    if (quality < 0 || quality > 100) {
      throw TributaryException.invalidArgument("quality must be in [0,100], got %d", quality);
    }
  }

  /** TensorFlow's choice for everything but the quality. */
  public static JpegOptions ofQuality(int quality) {
    return new JpegOptions(quality, false, false, true, new Density(1, 300, 300), "");
  }
}
