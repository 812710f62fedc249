package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Bincount;
import dev.tributary.internal.kernel.ragged.RowPartition;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.LongUnaryOperator;

/**
 * Factories of the kernels that count values by rows of dense, sparse and ragged tensors, with
 * dense or sparse results.
 */
public final class CountKernels {
  private CountKernels() {}

  public static Kernel sparseBincount(KernelNode node) {
    boolean binary = node.attributes().bool("binary_output");
    return c -> {
      SparseInput input = SparseInput.of(c, 0).requireInBounds();
      Shape rows = input.rank() == 1 ? Shape.scalar() : Shape.of(input.shape().size(0));
      Bincount.rows(c, 1, 3, rows, binary, rowOf(input));
    };
  }

  public static Kernel raggedBincount(KernelNode node) {
    boolean binary = node.attributes().bool("binary_output");
    return c -> {
      RowPartition rows = partition(c);
      Bincount.rows(c, 1, 2, Shape.of(rows.rows()), binary, rows::rowOf);
    };
  }

  public static Kernel countDense(KernelNode node) {
    SparseCounts.Options options = SparseCounts.Options.of(node);
    return c -> {
      Tensor values = c.input(0);
      if (values.rank() != 1 && values.rank() != 2) {
        throw TributaryException.invalidArgument(
            "Input must be a 1 or 2-dimensional tensor. Got: %s", values.shape());
      }
      requireWeights(values, c.input(1));
      long width = Math.max(1, values.shape().size(-1));
      long rows = values.rank() == 1 ? SparseCounts.NO_ROWS : values.shape().size(0);
      new SparseCounts(options, rows).run(c, values, c.input(1), i -> i / width);
    };
  }

  public static Kernel countSparse(KernelNode node) {
    SparseCounts.Options options = SparseCounts.Options.of(node);
    return c -> {
      SparseInput input = SparseInput.of(c, 0).requireInBounds();
      requireWeights(input.values(), c.input(3));
      long rows = input.rank() == 1 ? SparseCounts.NO_ROWS : input.shape().size(0);
      new SparseCounts(options, rows).run(c, input.values(), c.input(3), rowOf(input));
    };
  }

  public static Kernel countRagged(KernelNode node) {
    SparseCounts.Options options = SparseCounts.Options.of(node);
    return c -> {
      RowPartition rows = partition(c);
      requireWeights(c.input(1), c.input(2));
      new SparseCounts(options, rows.rows()).run(c, c.input(1), c.input(2), rows::rowOf);
    };
  }

  private static LongUnaryOperator rowOf(SparseInput input) {
    if (input.rank() == 0) {
      throw TributaryException.invalidArgument("dense_shape must have a dimension, got %s", "[]");
    }
    return i -> input.rank() == 1 ? 0 : input.index(i, 0);
  }

  private static RowPartition partition(KernelContext context) {
    RowPartition rows = RowPartition.ofSplits(context.input(0));
    Tensor values = context.input(1);
    if (values.rank() != 1 || rows.items() != values.elementCount()) {
      throw TributaryException.invalidArgument(
          "Splits must end with the number of values, got %d and values of shape %s",
          rows.items(), values.shape());
    }
    return rows;
  }

  private static void requireWeights(Tensor values, Tensor weights) {
    if (weights.elementCount() > 0 && !weights.shape().equals(values.shape())) {
      throw TributaryException.invalidArgument(
          "Weights and values must have the same shape. Weight shape: %s; values shape: %s",
          weights.shape(), values.shape());
    }
  }
}
