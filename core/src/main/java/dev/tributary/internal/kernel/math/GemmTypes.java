package dev.tributary.internal.kernel.math;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.COMPLEX128;
import static dev.tributary.tensor.DataType.COMPLEX64;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Matrix products of all types: those which the backend does not know are widened, multiplied and
 * cut again; complex ones are taken apart.
 */
final class GemmTypes {
  private static final List<DataType> SUPPORTED =
      List.of(FLOAT, DOUBLE, INT32, INT64, HALF, BFLOAT16, INT16, COMPLEX64, COMPLEX128);

  /** Multiplies what lies at two addresses into a third. */
  @FunctionalInterface
  interface Products {
    void run(long a, long b, long c);
  }

  private GemmTypes() {}

  static void require(DataType type) {
    if (!SUPPORTED.contains(type)) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: %s", type.lowerName(), SUPPORTED);
    }
  }

  /** The type in which products of elements of this type are computed. */
  static DataType computed(DataType type) {
    switch (type) {
      case HALF:
      case BFLOAT16:
        return FLOAT;
      case INT16:
        return INT32;
      default:
        return type.realType();
    }
  }

  /**
   * Runs products on tensors of one type, or on copies of them in the type that it is computed in.
   */
  static void run(KernelContext context, Tensor a, Tensor b, Tensor c, Products products) {
    run(context, a, false, b, false, c, products);
  }

  /** The same, where the conjugates of complex numbers may be multiplied. */
  static void run(
      KernelContext context,
      Tensor a,
      boolean conjugateA,
      Tensor b,
      boolean conjugateB,
      Tensor c,
      Products products) {
    DataType type = computed(c.type());
    if (c.type().isComplex()) {
      try (ComplexFactor left = new ComplexFactor(context, a, conjugateA);
          ComplexFactor right = new ComplexFactor(context, b, conjugateB)) {
        left.multiply(context, right, c, products);
      }
      return;
    }
    if (type == c.type()) {
      products.run(a.storage().address(), b.storage().address(), c.storage().address());
      return;
    }
    try (Tensor wideA = widened(context, type, a);
        Tensor wideB = widened(context, type, b);
        Tensor wideC = context.allocate(type, c.shape())) {
      products.run(wideA.storage().address(), wideB.storage().address(), wideC.storage().address());
      CastLoop.run(
          type, wideC.storage().address(), c.type(), c.storage().address(), c.elementCount());
    }
  }

  private static Tensor widened(KernelContext context, DataType type, Tensor tensor) {
    Tensor wide = context.allocate(type, tensor.shape());
    CastLoop.run(
        tensor.type(),
        tensor.storage().address(),
        type,
        wide.storage().address(),
        tensor.elementCount());
    return wide;
  }
}
