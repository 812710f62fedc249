package dev.tributary.internal.image;

/** An image as {@link Pixels}, with 16 bits a sample. */
public record WidePixels(int height, int width, int channels, short[] samples) {
  static WidePixels of(int height, int width, int channels) {
    Pixels.requireSize(height, width, channels);
    return new WidePixels(height, width, channels, new short[height * width * channels]);
  }
}
