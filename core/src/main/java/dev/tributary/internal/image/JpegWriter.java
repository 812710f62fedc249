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
import javax.imageio.plugins.jpeg.JPEGQTable;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writes JPEG images by the writer of the JDK, and the parts of their header that it does not. */
final class JpegWriter {
  private static final int LONGEST_SIDE = 65500;
  private static final int LONGEST_SEGMENT = 65533;
  private static final String XMP = "http://ns.adobe.com/xap/1.0/\0";

  /** The place of the unit of densities in the JFIF segment, which comes first. */
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
      parameters.setOptimizeHuffmanTables(options.optimized());
      parameters.setProgressiveMode(
          options.progressive() ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
      IIOMetadata metadata =
          writer.getDefaultImageMetadata(
              ImageTypeSpecifier.createFromRenderedImage(image), parameters);
      adjust(metadata, options);
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

  private static void adjust(IIOMetadata metadata, JpegOptions options)
      throws IIOInvalidTreeException {
    String format = metadata.getNativeMetadataFormatName();
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
    var tables = root.getElementsByTagName("dqtable");
    for (int i = 0; i < tables.getLength(); i++) {
      JPEGQTable table = i == 0 ? JPEGQTable.K1Luminance : JPEGQTable.K2Chrominance;
      ((IIOMetadataNode) tables.item(i)).setUserObject(scaled(table, options.quality()));
    }
    var components = root.getElementsByTagName("componentSpec");
    for (int i = 0; i < components.getLength() && !options.downsampled(); i++) {
      IIOMetadataNode component = (IIOMetadataNode) components.item(i);
      component.setAttribute("HsamplingFactor", "1");
      component.setAttribute("VsamplingFactor", "1");
    }
    metadata.setFromTree(format, root);
  }

  /** The table for a quality as TensorFlow's library makes it, in whole percents. */
  private static JPEGQTable scaled(JPEGQTable table, int quality) {
    int percent = quality < 50 ? 5000 / Math.max(1, quality) : 200 - 2 * quality;
    int[] values = table.getTable();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.min(255, Math.max(1, (values[i] * percent + 50) / 100));
    }
    return new JPEGQTable(values);
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
