package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.StridedCopy;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * A factor of complex matrix products, taken apart into its real and its imaginary parts: the
 * product of two is four products of real matrices. It owns both parts.
 */
final class ComplexFactor implements AutoCloseable {
  private final Tensor re;
  private final Tensor im;

  /** Copies the parts of a tensor, or of its conjugate. */
  ComplexFactor(KernelContext context, Tensor tensor, boolean conjugated) {
    DataType part = tensor.type().realType();
    this.re = context.allocate(part, tensor.shape());
    this.im = context.allocate(part, tensor.shape());
    long count = tensor.elementCount();
    move(part, count, tensor.storage().address(), 2, re.storage().address(), 1);
    move(part, count, tensor.storage().address() + part.size(), 2, im.storage().address(), 1);
    if (conjugated) {
      Functions.NEGATE.run(part, im.storage().address(), im.storage().address(), count);
    }
  }

  /** Writes products with another factor to a complex tensor. */
  void multiply(
      KernelContext context, ComplexFactor other, Tensor product, GemmTypes.Products products) {
    DataType part = re.type();
    long to = product.storage().address();
    try (Tensor first = context.allocate(part, product.shape());
        Tensor second = context.allocate(part, product.shape())) {
      run(products, re, other.re, first);
      run(products, im, other.im, second);
      combine(context, Arithmetic.SUBTRACT, first, second, to);
      run(products, re, other.im, first);
      run(products, im, other.re, second);
      combine(context, Arithmetic.ADD, first, second, to + part.size());
    }
  }

  private static void run(GemmTypes.Products products, Tensor a, Tensor b, Tensor c) {
    products.run(a.storage().address(), b.storage().address(), c.storage().address());
  }

  /** Combines two tensors into the first, and puts that at every second place. */
  private static void combine(
      KernelContext context, BinaryLoop loop, Tensor first, Tensor second, long to) {
    DataType part = first.type();
    Shape shape = first.shape();
    long sum = first.storage().address();
    context
        .device()
        .backend()
        .elementWise(loop, part, Broadcast.of(shape, shape), sum, second.storage().address(), sum);
    move(part, first.elementCount(), sum, 1, to, 2);
  }

  private static void move(
      DataType part, long count, long from, long fromStep, long to, long toStep) {
    StridedCopy.copy(
        part.size(), new long[] {count}, from, new long[] {fromStep}, to, new long[] {toStep});
  }

  @Override
  public void close() {
    re.close();
    im.close();
  }
}
