package dev.tributary.optable;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Tells whether two tensors are the same: type, shape and elements. Float, double and complex
 * elements may differ by a tolerance, absolute and relative to the expected one (to its larger part
 * if it is complex); NaN equals NaN, and tolerance 0 asks for the same bits. All other types are
 * compared exactly.
 */
public final class TensorCompare {
  private TensorCompare() {}

  /** Fails with {@code what} and the first difference, if there is one. */
  public static void requireEqual(
      String what,
      List<Tensor> actual,
      List<Tensor> expected,
      ToDoubleFunction<DataType> tolerance) {
    if (actual.size() != expected.size()) {
      throw new AssertionError(
          what + ": " + actual.size() + " values, expected " + expected.size());
    }
    for (int i = 0; i < actual.size(); i++) {
      double allowed = tolerance.applyAsDouble(expected.get(i).type());
      requireEqual(what + ", number " + i, actual.get(i), expected.get(i), allowed);
    }
  }

  public static void requireEqual(String what, Tensor actual, Tensor expected, double tolerance) {
    Optional<String> difference = difference(actual, expected, tolerance);
    if (difference.isPresent()) {
      throw new AssertionError(
          what
              + ": "
              + difference.get()
              + "\n  actual   "
              + contents(actual)
              + "\n  expected "
              + contents(expected));
    }
  }

  /** The first thing in which the tensors differ; empty if they are equal. */
  public static Optional<String> difference(Tensor actual, Tensor expected, double tolerance) {
    if (actual.type() != expected.type()) {
      return Optional.of("type " + actual.type() + ", expected " + expected.type());
    }
    if (!actual.shape().equals(expected.shape())) {
      return Optional.of("shape " + actual.shape() + ", expected " + expected.shape());
    }
    for (long i = 0; i < actual.elementCount(); i++) {
      if (!equalAt(actual, expected, i, tolerance)) {
        return Optional.of(
            "element " + i + " is " + element(actual, i) + ", expected " + element(expected, i));
      }
    }
    return Optional.empty();
  }

  /** Returns whether elements are floats or doubles, or pairs of these. */
  public static boolean isOfReals(DataType type) {
    return type == DataType.FLOAT || type == DataType.DOUBLE || type.isComplex();
  }

  /** Returns how many real numbers a tensor {@linkplain #isOfReals of reals} has. */
  static long realCount(Tensor tensor) {
    return (tensor.type().isComplex() ? 2 : 1) * tensor.elementCount();
  }

  /** Real number {@code i} of a tensor of reals: an element, or a part of a complex one. */
  public static double real(Tensor tensor, long i) {
    long address = tensor.storage().address();
    return isWide(tensor) ? Memory.getDouble(address + 8 * i) : Memory.getFloat(address + 4 * i);
  }

  static void putReal(Tensor tensor, long i, double value) {
    long address = tensor.storage().address();
    if (isWide(tensor)) {
      Memory.putDouble(address + 8 * i, value);
    } else {
      Memory.putFloat(address + 4 * i, (float) value);
    }
  }

  /** Returns whether the real numbers of a tensor are doubles. */
  static boolean isWide(Tensor tensor) {
    return tensor.type() == DataType.DOUBLE || tensor.type() == DataType.COMPLEX128;
  }

  private static boolean equalAt(Tensor actual, Tensor expected, long i, double tolerance) {
    DataType type = actual.type();
    if (type.isObject()) {
      return Arrays.deepEquals(
          new Object[] {actual.objects()[(int) i]}, new Object[] {expected.objects()[(int) i]});
    }
    if (!isOfReals(type)) {
      return bits(actual, i) == bits(expected, i);
    }
    if (type.isComplex()) {
      double re = real(expected, 2 * i);
      double im = real(expected, 2 * i + 1);
      double size = Math.max(Math.abs(re), Math.abs(im));
      return equal(real(actual, 2 * i), re, size, tolerance)
          && equal(real(actual, 2 * i + 1), im, size, tolerance);
    }
    double e = real(expected, i);
    return equal(real(actual, i), e, Math.abs(e), tolerance);
  }

  private static boolean equal(double a, double e, double size, double tolerance) {
    if (tolerance == 0) {
      return Double.doubleToLongBits(a) == Double.doubleToLongBits(e);
    }
    if (!Double.isFinite(a) || !Double.isFinite(e)) {
      return a == e || (Double.isNaN(a) && Double.isNaN(e));
    }
    return Math.abs(a - e) <= tolerance + tolerance * size;
  }

  private static long bits(Tensor tensor, long i) {
    long address = tensor.storage().address() + i * tensor.type().size();
    switch (tensor.type().size()) {
      case 1:
        return Memory.getByte(address);
      case 2:
        return Memory.getShort(address);
      case 4:
        return Memory.getInt(address);
      default:
        return Memory.getLong(address);
    }
  }

  private static String element(Tensor tensor, long i) {
    if (tensor.type() == DataType.STRING) {
      return '"' + tensor.getString(i) + '"';
    }
    if (tensor.type().isObject()) {
      return String.valueOf(tensor.objects()[(int) i]);
    }
    if (tensor.type().isComplex()) {
      return real(tensor, 2 * i) + "+" + real(tensor, 2 * i + 1) + "i";
    }
    return isOfReals(tensor.type())
        ? Double.toString(real(tensor, i))
        : Long.toString(bits(tensor, i));
  }

  /** The shape and the first elements. */
  static String contents(Tensor tensor) {
    StringBuilder text =
        new StringBuilder(tensor.type().lowerName()).append(tensor.shape()).append(" {");
    for (long i = 0; i < Math.min(24, tensor.elementCount()); i++) {
      text.append(i == 0 ? "" : ", ").append(element(tensor, i));
    }
    return text.append(tensor.elementCount() > 24 ? ", ...}" : "}").toString();
  }
}
