package dev.tributary.internal.image;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.plugins.jpeg.JPEGImageWriteParam;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writes JPEG images by the writer of the JDK, and the parts of their header that it does not. */
final class JpegWriter {
  private static final int LONGEST_SIDE = 65500;
  private static final int LONGEST_SEGMENT = 65533;
  private static final String XMP = "http://ns.adobe.com/xap/1.0/\0";

  /** Where the JFIF segment, which comes first, has the unit of its densities. */
  private static final int UNIT_AT = 13;

  private static final int HEADER_END = 20;

  private JpegWriter() {}

  static byte[] encode(Pixels pixels, JpegOptions options) {
    if (pixels.height() > LONGEST_SIDE || pixels.width() > LONGEST_SIDE) {
      throw TributaryException.invalidArgument(
          "a JPEG image has at most %d rows and columns, got %d x %d",
          LONGEST_SIDE, pixels.width(), pixels.height());
    }
    ImageWriter writer = ImageIO.getImageWritersByFormatName("JPEG").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(bytes)) {
      BufferedImage image = PngImages.image(pixels);
      JPEGImageWriteParam parameters = (JPEGImageWriteParam) writer.getDefaultWriteParam();
      parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      parameters.setCompressionQuality(options.quality() / 100f);
      parameters.setOptimizeHuffmanTables(options.optimized());
      parameters.setProgressiveMode(
          options.progressive()
              ? ImageWriteParam.MODE_DEFAULT
              : ImageWriteParam.MODE_DISABLED);
      IIOMetadata metadata =
          writer.getDefaultImageMetadata(
              ImageTypeSpecifier.createFromRenderedImage(image), parameters);
      if (!options.downsampled()) {
        keepColors(metadata);
      }
      writer.setOutput(output);
      writer.write(null, new IIOImage(image, null, metadata), parameters);
    } catch (IOException | RuntimeException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "JPEG encoding failed: " + e.getMessage(), e);
    } finally {
      writer.dispose();
    }
    return withHeader(bytes.toByteArray(), options);
  }

  /** Gives all components the same number of samples. */
  private static void keepColors(IIOMetadata metadata) throws IIOInvalidTreeException {
    String format = metadata.getNativeMetadataFormatName();
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
    var components = root.getElementsByTagName("componentSpec");
    for (int i = 0; i < components.getLength(); i++) {
      IIOMetadataNode component = (IIOMetadataNode) components.item(i);
      component.setAttribute("HsamplingFactor", "1");
      component.setAttribute("VsamplingFactor", "1");
    }
    metadata.setFromTree(format, root);
  }

  private static byte[] withHeader(byte[] file, JpegOptions options) {
    JpegOptions.Density density = options.density();
    file[UNIT_AT] = (byte) density.unit();
    putShort(file, UNIT_AT + 1, density.horizontal());
    putShort(file, UNIT_AT + 3, density.vertical());
    if (options.xmp().isEmpty()) {
      return file;
    }
    byte[] packet = (XMP + options.xmp()).getBytes(StandardCharsets.UTF_8);
    if (packet.length > LONGEST_SEGMENT) {
      throw TributaryException.invalidArgument(
          "xmp_metadata must have at most %d bytes, got %d",
          LONGEST_SEGMENT - XMP.length(), packet.length - XMP.length());
    }
    byte[] marker = {(byte) 0xff, (byte) 0xe1, 0, 0};
    putShort(marker, 2, packet.length + 2);
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    result.write(file, 0, HEADER_END);
    result.writeBytes(marker);
    result.writeBytes(packet);
    result.write(file, HEADER_END, file.length - HEADER_END);
    return result.toByteArray();
  }

  private static void putShort(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >> Byte.SIZE);
    bytes[at + 1] = (byte) value;
  }
}
