package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of SparseTensorDenseMatMul and SparseSoftmax. */
public final class SparseProducts {
  private SparseProducts() {}

  /** The product of a sparse and a dense matrix, either of which may be transposed. */
  public static Kernel matMul(KernelNode node) {
    boolean adjointA = node.attributes().bool("adjoint_a");
    boolean adjointB = node.attributes().bool("adjoint_b");
    if (!node.type().isFloating() && !node.type().isInteger()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers", node.type().lowerName());
    }
    return context -> matMul(context, adjointA, adjointB);
  }

  private static void matMul(KernelContext context, boolean adjointA, boolean adjointB) {
    Tensor indices = context.input(0);
    Tensor values = context.input(1);
    Tensor b = context.input(3);
    if (b.rank() != 2) {
      throw TributaryException.invalidArgument("Tensor 'b' is not a matrix: %s", b.shape());
    }
    long[] a = IndexTensors.vector(context.input(2), "a_shape", 2);
    Shape shapeOfA = IndexTensors.toShape(context.input(2));
    if (values.rank() != 1) {
      throw TributaryException.invalidArgument(
          "Tensor 'a_values' is not a vector: %s", values.shape());
    }
    if (!indices.shape().equals(Shape.of(values.elementCount(), 2))) {
      throw TributaryException.invalidArgument(
          "Tensor 'a_indices' of shape %s does not fit %d values",
          indices.shape(), values.elementCount());
    }
    long rows = a[adjointA ? 1 : 0];
    long inner = a[adjointA ? 0 : 1];
    long columns = b.shape().size(adjointB ? 0 : 1);
    if (inner != b.shape().size(adjointB ? 1 : 0)) {
      throw TributaryException.invalidArgument(
          "Cannot multiply A and B because inner dimension does not match: %d vs. %d.  Did you"
              + " forget a transpose?  Dimensions of A: %s).  Dimensions of B: %s",
          inner, b.shape().size(adjointB ? 1 : 0), shapeOfA, b.shape());
    }
    Tensor product = context.allocateOutput(0, Shape.of(rows, columns));
    // Where b[k, j] is: its steps along k and j.
    long stepK = adjointB ? 1 : columns;
    long stepJ = adjointB ? inner : 1;
    int length = ArrayLength.of(product.elementCount());
    boolean real = product.type().isFloating();
    double[] sums = new double[real ? length : 0];
    long[] wholeSums = new long[real ? 0 : length];
    for (long n = 0; n < values.elementCount(); n++) {
      int row = (int) index(indices, n, adjointA ? 1 : 0, rows);
      long k = index(indices, n, adjointA ? 0 : 1, inner);
      int to = row * (int) columns;
      if (real) {
        double value = Reals.at(values, n);
        for (int j = 0; j < columns; j++) {
          sums[to + j] += value * Reals.at(b, k * stepK + j * stepJ);
        }
      } else {
        long value = IndexTensors.at(values, n);
        for (int j = 0; j < columns; j++) {
          wholeSums[to + j] += value * IndexTensors.at(b, k * stepK + j * stepJ);
        }
      }
    }
    for (int i = 0; i < length; i++) {
      if (real) {
        Reals.put(product, i, sums[i]);
      } else {
        IndexTensors.put(product, i, wholeSums[i]);
      }
    }
  }

  private static long index(Tensor indices, long n, int column, long limit) {
    long index = indices.getIndex(2 * n + column);
    if (index < 0 || index >= limit) {
      throw TributaryException.invalidArgument(
          "index [%d,%d] of a_indices is %d, which is out of bounds (>=%d)",
          n, column, index, limit);
    }
    return index;
  }

  /** The softmax of the values of each row, which are ordered. */
  public static void softmax(KernelContext context) {
    SparseInput input = SparseInput.of(context, 0);
    if (input.rank() < 2) {
      throw TributaryException.invalidArgument(
          "Input should have rank >= 2, but got shape %s", input.shape());
    }
    input.requireOrdered();
    Tensor values = input.values();
    Tensor output = context.allocateOutput(0, values.shape());
    long width = input.shape().size(-1);
    for (long start = 0, end; start < input.count(); start = end) {
      long row = input.place(start) / width;
      end = start;
      double greatest = Double.NEGATIVE_INFINITY;
      while (end < input.count() && input.place(end) / width == row) {
        greatest = Math.max(greatest, Reals.at(values, end++));
      }
      double sum = 0;
      for (long i = start; i < end; i++) {
        sum += Math.exp(Reals.at(values, i) - greatest);
      }
      for (long i = start; i < end; i++) {
        Reals.put(output, i, Math.exp(Reals.at(values, i) - greatest) / sum);
      }
    }
  }
}
