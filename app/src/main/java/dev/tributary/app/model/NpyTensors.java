package dev.tributary.app.model;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Arrays in NumPy's {@code .npy} files: the bytes {@code 93 'NUMPY'}, a version, the length of a
 * header, the header, which is a Python dict, and the elements.
 */
final class NpyTensors {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  private static final Pattern HEADER =
      Pattern.compile(
          "\\{\\s*'descr':\\s*'([^']*)',\\s*'fortran_order':\\s*(True|False),\\s*'shape':\\s*"
              + "\\(([0-9, ]*)\\),?\\s*\\}\\s*");

  private static final Map<String, DataType> TYPES =
      Map.ofEntries(
          Map.entry("<f2", DataType.HALF),
          Map.entry("<f4", DataType.FLOAT),
          Map.entry("<f8", DataType.DOUBLE),
          Map.entry("|i1", DataType.INT8),
          Map.entry("<i2", DataType.INT16),
          Map.entry("<i4", DataType.INT32),
          Map.entry("<i8", DataType.INT64),
          Map.entry("|u1", DataType.UINT8),
          Map.entry("|b1", DataType.BOOL));

  private NpyTensors() {}

  /** Reads an array and converts its elements; for the caller to close. */
  static Tensor read(byte[] content, DataType type) {
    ByteBuffer file = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    if (content.length < 10 || !Arrays.equals(MAGIC, Arrays.copyOf(content, MAGIC.length))) {
      throw TributaryException.invalidArgument("it does not begin as a .npy file does");
    }
    boolean isFirstVersion = content[6] == 1;
    int start = isFirstVersion ? 10 : 12;
    long length =
        isFirstVersion
            ? Short.toUnsignedInt(file.getShort(8))
            : content.length < start ? -1 : Integer.toUnsignedLong(file.getInt(8));
    if (length < 0 || start + length > content.length) {
      throw truncated();
    }
    int end = start + (int) length;
    Matcher header =
        HEADER.matcher(new String(content, start, (int) length, StandardCharsets.UTF_8));
    if (!header.matches() || !TYPES.containsKey(header.group(1))) {
      throw TributaryException.invalidArgument(
          "its header is not understood, or its elements are none of %s: %s",
          TYPES.keySet(), new String(content, start, (int) length, StandardCharsets.UTF_8).strip());
    }
    Shape shape = shape(header.group(3));
    DataType stored = TYPES.get(header.group(1));
    long elements = shape.elementCount();
    if (elements < 0 || elements != (content.length - end) / (long) stored.size()) {
      throw truncated();
    }
    byte[] values = Arrays.copyOfRange(content, end, content.length);
    if (header.group(2).equals("True")) {
      values = rowByRow(values, shape, stored.size());
    }
    try (Tensor tensor = Tensor.of(stored, shape, values)) {
      return Elements.cast(tensor, type);
    }
  }

  /** Elements that Fortran's order has column by column, as a transposed array is saved. */
  private static byte[] rowByRow(byte[] columns, Shape shape, int size) {
    byte[] rows = new byte[columns.length];
    int[] index = new int[shape.rank()];
    for (int at = 0; at + size <= rows.length; at += size) {
      int from = 0;
      for (int d = index.length - 1; d >= 0; d--) {
        from = (int) (from * shape.size(d)) + index[d];
      }
      System.arraycopy(columns, from * size, rows, at, size);
      for (int d = index.length - 1; d >= 0 && ++index[d] == shape.size(d); d--) {
        index[d] = 0;
      }
    }
    return rows;
  }

  private static Shape shape(String text) {
    try {
      return Shape.of(
          Arrays.stream(text.split(","))
              .map(String::strip)
              .filter(size -> !size.isEmpty())
              .mapToLong(Long::parseLong)
              .toArray());
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument("its shape (%s) is not understood", text);
    }
  }

  private static TributaryException truncated() {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "it has not as many bytes as its header says: was it cut?");
  }
}
