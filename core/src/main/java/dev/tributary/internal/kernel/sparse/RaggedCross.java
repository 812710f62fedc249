package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.ragged.RowPartition;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel of RaggedCross: for each row, all combinations of the features that ragged, sparse and
 * dense columns have in it, the last column fastest, as joined strings or as hashes.
 */
public final class RaggedCross {
  private final String order;
  private final int ragged;
  private final int sparse;
  private final int dense;
  private final SparseCross.Rule rule;

  private RaggedCross(KernelNode node) {
    order = node.attributes().string("input_order");
    ragged = node.attributes().types("ragged_values_types").size();
    sparse = node.attributes().int32("Nsparse");
    dense = node.attributes().types("dense_types").size();
    long buckets = node.attributes().integer("num_buckets");
    long key = node.attributes().integer("hash_key");
    requireSame("ragged", ragged, node.attributes().types("ragged_splits_types").size());
    requireSame("sparse", sparse, node.attributes().types("sparse_values_types").size());
    if (order.length() != ragged + sparse + dense || !order.matches("[RSD]*")) {
      throw TributaryException.invalidArgument(
          "input_order must have an R, S or D for each of %d ragged, %d sparse and %d dense inputs,"
              + " got '%s'",
          ragged, sparse, dense, order);
    }
    rule =
        node.attributes().type("out_values_type") == DataType.INT64
            ? (out, i, c, row, f) -> SparseCross.putHash(out, i, c, row, f, buckets, key)
            : SparseCross.joining(SparseCross.OLD_SEPARATOR);
  }

  public static Kernel kernel(KernelNode node) {
    RaggedCross cross = new RaggedCross(node);
    return cross::compute;
  }

  private static void requireSame(String kind, int values, int others) {
    if (values != others) {
      throw TributaryException.invalidArgument(
          "%s inputs must have as many values as splits or indices, got %d and %d",
          kind, values, others);
    }
  }

  private void compute(KernelContext context) {
    List<CrossColumn> columns = new ArrayList<>();
    long rows = -1;
    int nextRagged = 0;
    int nextSparse = 0;
    int nextDense = 0;
    for (char kind : order.toCharArray()) {
      switch (kind) {
        case 'R' -> rows = addRagged(context, require(nextRagged++, ragged), columns, rows);
        case 'S' -> rows = addSparse(context, require(nextSparse++, sparse), columns, rows);
        default -> rows = addDense(context, require(nextDense++, dense), columns, rows);
      }
    }
    cross(context, columns, Math.max(0, rows));
  }

  private int require(int next, int count) {
    if (next >= count) {
      throw TributaryException.invalidArgument(
          "input_order '%s' does not fit %d ragged, %d sparse and %d dense inputs",
          order, ragged, sparse, dense);
    }
    return next;
  }

  private long addRagged(KernelContext context, int n, List<CrossColumn> columns, long rows) {
    Tensor values = context.input(n);
    Tensor splits = context.input(ragged + n);
    if (values.rank() != 1 || splits.rank() != 1) {
      throw TributaryException.invalidArgument(
          "tf.ragged.cross only supports inputs with rank=2, got values of shape %s and splits of"
              + " shape %s",
          values.shape(), splits.shape());
    }
    RowPartition partition = RowPartition.ofSplits(splits);
    if (partition.items() != values.elementCount()) {
      throw TributaryException.invalidArgument(
          "the last row split must be the number of values, got %d and %d",
          partition.items(), values.elementCount());
    }
    columns.add(CrossColumn.ragged(values, partition));
    return same(rows, partition.rows());
  }

  private long addSparse(KernelContext context, int n, List<CrossColumn> columns, long rows) {
    int first = 2 * ragged + n;
    SparseInput input =
        SparseInput.of(
            context.input(first), context.input(first + sparse), context.input(first + 2 * sparse));
    columns.add(CrossColumn.sparse(input));
    return same(rows, input.shape().size(0));
  }

  private long addDense(KernelContext context, int n, List<CrossColumn> columns, long rows) {
    Tensor values = context.input(2 * ragged + 3 * sparse + n);
    if (values.rank() != 2) {
      throw TributaryException.invalidArgument(
          "tf.ragged.cross only supports inputs with rank=2, got shape %s", values.shape());
    }
    columns.add(CrossColumn.dense(values));
    return same(rows, values.shape().size(0));
  }

  private static long same(long rows, long others) {
    if (rows >= 0 && rows != others) {
      throw TributaryException.invalidArgument(
          "inputs must all have the same batch dimension size, got %d and %d", rows, others);
    }
    return others;
  }

  private void cross(KernelContext context, List<CrossColumn> columns, long rows) {
    long[] splits = new long[ArrayLength.of(rows + 1)];
    for (int row = 0; row < rows; row++) {
      splits[row + 1] =
          ArrayLength.of(Math.addExact(splits[row], SparseCross.combinations(columns, row)));
    }
    Tensor values = context.allocateOutput(0, Shape.of(splits[splits.length - 1]));
    IndexTensors.setVector(context, 1, splits);
    for (int row = 0; row < rows; row++) {
      int[] features = new int[columns.size()];
      for (int i = (int) splits[row]; i < splits[row + 1]; i++) {
        rule.put(values, i, columns, row, features);
        SparseCross.advance(columns, row, features);
      }
    }
  }
}
