package dev.tributary.internal.kernel.text;

import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;

/**
 * The first elements of a tensor in TensorFlow's words, such as {@code [1 2][3...]...}. Confined to
 * one call.
 */
final class TensorSummary {
  private static final int FLOAT_DIGITS = 6;
  private static final int DOUBLE_DIGITS = 15;

  private final Tensor tensor;
  private final Shape shape;
  private final long limit;
  private final StringBuilder text = new StringBuilder();
  private long next;

  private TensorSummary(Tensor tensor, long limit) {
    this.tensor = tensor;
    this.shape = tensor.shape();
    this.limit = limit;
  }

  /** At most {@code entries} elements, or all if that is negative. */
  static String of(Tensor tensor, long entries) {
    long limit = entries < 0 ? tensor.elementCount() : Math.min(entries, tensor.elementCount());
    TensorSummary summary = new TensorSummary(tensor, limit);
    summary.write();
    return summary.text.toString();
  }

  /**
   * At most {@code entries} elements from either end of each dimension, or all if that is negative,
   * such as {@code [1 2 3 ... 8 9 10]}; strings are in quotes.
   */
  static String withEnds(Tensor tensor, long entries) {
    long limit = entries < 0 ? tensor.elementCount() : Math.min(entries, tensor.elementCount());
    TensorSummary summary = new TensorSummary(tensor, limit);
    if (tensor.type().isComplex()) {
      summary.places();
    } else {
      summary.ends(0, 0);
    }
    return summary.text.toString();
  }

  /** TensorFlow shows only how many complex numbers there are, in no dimensions. */
  private void places() {
    String shown = String.join(" ", Collections.nCopies((int) limit, "?"));
    String all = limit < tensor.elementCount() ? shown + "..." : shown;
    text.append(shape.rank() > 0 ? "[" + all + "]" : all);
  }

  private void ends(int axis, long first) {
    if (axis == shape.rank()) {
      text.append(limit == 0 ? "..." : quoted(first));
      return;
    }
    long size = shape.size(axis);
    long stride = shape.strides()[axis];
    text.append('[');
    for (long i = 0; i < size; i++) {
      if (i == limit && size > 2 * limit) {
        space(axis, i);
        text.append("...");
        i = size - limit;
      }
      if (i < size) {
        space(axis, i);
        ends(axis + 1, first + i * stride);
      }
    }
    text.append(']');
  }

  /** The separator between element {@code i} of a dimension and the one before it. */
  private void space(int axis, long i) {
    if (i > 0 && axis == shape.rank() - 1) {
      text.append(' ');
    } else if (i > 0) {
      text.append("\n".repeat(shape.rank() - 1 - axis)).append(" ".repeat(axis + 1));
    }
  }

  private String quoted(long i) {
    return tensor.type() == DataType.STRING
        ? '"' + new String((byte[]) tensor.objects()[(int) i], StandardCharsets.UTF_8) + '"'
        : element(i);
  }

  private void write() {
    if (shape.rank() > 0) {
      dimension(0);
    } else if (limit > 0) {
      text.append(element(0));
    }
    if (limit < tensor.elementCount()) {
      text.append("...");
    }
  }

  private void dimension(int axis) {
    boolean last = axis == shape.rank() - 1;
    for (long i = 0; i < shape.size(axis); i++) {
      if (next >= limit) {
        text.append(last && axis > 0 ? "..." : "");
        return;
      }
      if (last) {
        text.append(i > 0 ? " " : "").append(element(next++));
      } else {
        text.append('[');
        dimension(axis + 1);
        text.append(']');
      }
    }
  }

  private String element(long i) {
    DataType type = tensor.type();
    switch (type) {
      case FLOAT:
        return ofFloat(tensor.getFloat(i));
      case HALF:
        return ofFloat(HalfFloats.halfToFloat(Memory.getShort(tensor.storage().address() + 2 * i)));
      case BFLOAT16:
        return ofFloat(
            HalfFloats.bfloat16ToFloat(Memory.getShort(tensor.storage().address() + 2 * i)));
      case DOUBLE:
        return ofDouble(tensor.getDouble(i));
      case BOOL:
        return tensor.getBoolean(i) ? "1" : "0";
      case STRING:
        return escaped((byte[]) tensor.objects()[(int) i]);
      default:
        return type.isInteger() ? Long.toString(Integers.at(tensor, i)) : "?";
    }
  }

  /**
   * As few digits as are always exact in decimal, or enough to tell the number from its neighbours.
   */
  private static String ofFloat(float value) {
    String few = shortest(value, FLOAT_DIGITS);
    return Float.isFinite(value) && Float.parseFloat(few) != value
        ? shortest(value, FLOAT_DIGITS + 3)
        : few;
  }

  private static String ofDouble(double value) {
    String few = shortest(value, DOUBLE_DIGITS);
    return Double.isFinite(value) && Double.parseDouble(few) != value
        ? shortest(value, DOUBLE_DIGITS + 2)
        : few;
  }

  private static String shortest(double value, int digits) {
    return PrintfFormat.ofPrecision(digits).real(value, PrintfFormat.Notation.SHORTEST);
  }

  private static String escaped(byte[] bytes) {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    for (byte b : bytes) {
      if (b == '\n' || b == '\r' || b == '\t') {
        result.writeBytes(new byte[] {'\\', (byte) (b == '\n' ? 'n' : b == '\r' ? 'r' : 't')});
      } else if (b == '"' || b == '\'' || b == '\\') {
        result.writeBytes(new byte[] {'\\', b});
      } else if (b >= 0 && b < ' ' || b == 127) {
        result.writeBytes(String.format("\\%03o", b).getBytes(StandardCharsets.US_ASCII));
      } else {
        result.write(b);
      }
    }
    return result.toString(StandardCharsets.UTF_8);
  }
}
