package dev.tributary.optable;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Tells whether two tensors are the same: type, shape and elements. Float and double elements may
 * differ by a tolerance, absolute and relative to the expected one; NaN equals NaN, and tolerance 0
 * asks for the same bits. All other types are compared exactly.
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

  /** Element {@code i} of a floating-point tensor of a type that Java can compute with. */
  public static double real(Tensor tensor, long i) {
    return tensor.type() == DataType.DOUBLE ? tensor.getDouble(i) : tensor.getFloat(i);
  }

  private static boolean equalAt(Tensor actual, Tensor expected, long i, double tolerance) {
    DataType type = actual.type();
    if (type.isObject()) {
      return Arrays.deepEquals(
          new Object[] {actual.objects()[(int) i]}, new Object[] {expected.objects()[(int) i]});
    }
    if (type != DataType.FLOAT && type != DataType.DOUBLE) {
      return bits(actual, i) == bits(expected, i);
    }
    double a = real(actual, i);
    double e = real(expected, i);
    if (tolerance == 0) {
      return Double.doubleToLongBits(a) == Double.doubleToLongBits(e);
    }
    if (!Double.isFinite(a) || !Double.isFinite(e)) {
      return a == e || (Double.isNaN(a) && Double.isNaN(e));
    }
    return Math.abs(a - e) <= tolerance + tolerance * Math.abs(e);
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
    boolean real = tensor.type() == DataType.FLOAT || tensor.type() == DataType.DOUBLE;
    return real ? Double.toString(real(tensor, i)) : Long.toString(bits(tensor, i));
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
