package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.kernel.loop.StridedCopy;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/** Kernels between complex numbers and the real ones that they are made of. */
public final class ComplexKernels {
  public static final UnaryLoop CONJUGATE = UnaryLoop.of().complexes(Complex::conjugate);

  private ComplexKernels() {}

  /** Complex numbers of real and imaginary parts, with broadcasting. */
  public static Kernel pair(KernelNode node) {
    DataType part = node.type();
    requirePart(part, node.outputTypes().get(0));
    int size = part.size();
    return context -> {
      Tensor re = context.input(0);
      Tensor im = context.input(1);
      Broadcast walk = Broadcast.of(re.shape(), im.shape());
      long to = context.allocateOutput(0, walk.result()).storage().address();
      putParts(re, size, walk.result(), to);
      putParts(im, size, walk.result(), to + size);
    };
  }

  private static void putParts(Tensor parts, int size, Shape shape, long to) {
    long[] sizes = shape.toArray();
    long[] steps = Arrays.stream(shape.strides()).map(stride -> 2 * stride).toArray();
    long from = parts.storage().address();
    StridedCopy.copy(size, sizes, from, Broadcast.repeatedStrides(parts.shape(), sizes), to, steps);
  }

  /** The real parts, number 0, or the imaginary ones, number 1. */
  public static KernelFactory part(int number) {
    return node -> {
      DataType part = node.outputTypes().get(0);
      requirePart(part, node.type());
      int size = part.size();
      return context -> {
        Tensor x = context.input(0);
        Tensor y = context.allocateOutput(0, x.shape());
        StridedCopy.copy(
            size,
            new long[] {x.elementCount()},
            x.storage().address() + (long) number * size,
            new long[] {2},
            y.storage().address(),
            new long[] {1});
      };
    };
  }

  /** A real number for each complex one. */
  public static KernelFactory measure(ToDoubleFunction<Complex> function) {
    return node -> {
      DataType type = node.outputTypes().get(0);
      requirePart(type, node.type());
      RealElements elements = RealElements.of(type);
      return context -> measure(context, elements, function);
    };
  }

  private static void measure(
      KernelContext context, RealElements elements, ToDoubleFunction<Complex> function) {
    Tensor x = context.input(0);
    long from = x.storage().address();
    long to = context.allocateOutput(0, x.shape()).storage().address();
    int size = elements.size();
    for (long i = 0; i < x.elementCount(); i++) {
      long at = from + 2 * i * size;
      Complex value = new Complex(elements.get(at), elements.get(at + size));
      elements.put(to + i * size, function.applyAsDouble(value));
    }
  }

  private static void requirePart(DataType part, DataType complex) {
    boolean narrow = part == DataType.FLOAT && complex == DataType.COMPLEX64;
    boolean wide = part == DataType.DOUBLE && complex == DataType.COMPLEX128;
    if (!narrow && !wide) {
      throw TributaryException.unimplemented(
          "no kernel for %s and %s; supported: float and complex64, double and complex128",
          part.lowerName(), complex.lowerName());
    }
  }
}
