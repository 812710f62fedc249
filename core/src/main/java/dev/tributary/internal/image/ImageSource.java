package dev.tributary.internal.image;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Reads an image of a known format by the reader that the JDK has for it. */
final class ImageSource {
  private static final int MOST_CHANNELS = 4;

  private ImageSource() {}

  /**
   * @param mayBeCut whether an image of which the end is missing is taken for what it has
   */
  static BufferedImage read(String format, byte[] content, boolean mayBeCut) {
    ImageReader reader = ImageIO.getImageReadersByFormatName(format).next();
    String[] warning = {""};
    reader.addIIOReadWarningListener((source, text) -> warning[0] = text);
    try (MemoryCacheImageInputStream input =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(content))) {
      reader.setInput(input, true, true);
      Pixels.requireSize(reader.getHeight(0), reader.getWidth(0), MOST_CHANNELS);
      BufferedImage image = reader.read(0);
      if (!mayBeCut && !warning[0].isEmpty()) {
        throw invalid(format, warning[0], null);
      }
      return image;
    } catch (TributaryException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Readers answer wrong bytes with exceptions of any kind.
      throw invalid(format, String.valueOf(e.getMessage()), e);
    } finally {
      reader.dispose();
    }
  }

  private static TributaryException invalid(String format, String how, Exception cause) {
    return new TributaryException(
        ErrorCode.INVALID_ARGUMENT, "Invalid " + format + " data: " + how, cause);
  }
}
