package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Names and texts that a kernel is given as string tensors. */
final class StringInputs {
  private StringInputs() {}

  /** The only element of input {@code i}, which the op calls {@code what}. */
  static String single(KernelContext context, int i, String what) {
    Tensor input = strings(context, i, what);
    if (input.elementCount() != 1) {
      throw TributaryException.invalidArgument(
          "Input %s should have a single element, got shape %s", what, input.shape());
    }
    return input.getString(0);
  }

  /** The elements of input {@code i}, a vector. */
  static String[] vector(KernelContext context, int i, String what) {
    Tensor input = strings(context, i, what);
    if (input.rank() != 1) {
      throw TributaryException.invalidArgument(
          "Input %s should be an 1-D tensor, got shape %s", what, input.shape());
    }
    return input.toStrings();
  }

  private static Tensor strings(KernelContext context, int i, String what) {
    Tensor input = context.input(i);
    if (input.type() != DataType.STRING) {
      throw TributaryException.invalidArgument(
          "Input %s should be strings, got %s", what, input.type().lowerName());
    }
    return input;
  }
}
