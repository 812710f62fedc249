package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The three tensors of a sparse tensor, with a reference to each. */
record SparseParts(Tensor indices, Tensor values, Tensor shape) implements AutoCloseable {
  /** The sparse tensor in three inputs of a call. */
  static SparseParts of(KernelContext context) {
    SparseInput.of(context, 0);
    return new SparseParts(
        context.input(0).retain(), context.input(1).retain(), context.input(2).retain());
  }

  /** The rows of the sparse tensor in three inputs, each a sparse tensor of one dimension less. */
  static List<SparseParts> rows(KernelContext context) {
    SparseInput input = SparseInput.of(context, 0).requireInBounds();
    if (input.rank() < 2) {
      throw TributaryException.invalidArgument(
          "Rank of input SparseTensor should be > 1, but saw rank: %d", input.rank());
    }
    List<SparseParts> rows = new ArrayList<>();
    try {
      long first = 0;
      for (long row = 0; row < input.shape().size(0); row++) {
        long end = first;
        while (end < input.count() && input.index(end, 0) == row) {
          end++;
        }
        rows.add(row(context, input, first, end));
        first = end;
      }
      if (first < input.count()) {
        throw TributaryException.invalidArgument(
            "the values of a batch must be in the order of its rows, but value %d is of row %d",
            first, input.index(first, 0));
      }
      return rows;
    } catch (RuntimeException | Error e) {
      rows.forEach(SparseParts::close);
      throw e;
    }
  }

  private static SparseParts row(KernelContext context, SparseInput input, long first, long end) {
    int rank = input.rank() - 1;
    SparseParts row = allocate(context, input.values().type(), end - first, rank);
    RowMove move = new RowMove(input.values(), row.values, 1);
    for (long i = first; i < end; i++) {
      move.move(i, i - first);
      for (int d = 0; d < rank; d++) {
        IndexTensors.put(row.indices, (i - first) * rank + d, input.index(i, d + 1));
      }
    }
    IndexTensors.write(row.shape, input.shape().slice(1, input.rank()).toArray());
    return row;
  }

  private static SparseParts allocate(KernelContext context, DataType type, long count, int rank) {
    List<Tensor> made = new ArrayList<>();
    try {
      made.add(SharedTensors.zeros(context.allocator(), DataType.INT64, Shape.of(count, rank)));
      made.add(SharedTensors.zeros(context.allocator(), type, Shape.of(count)));
      made.add(SharedTensors.zeros(context.allocator(), DataType.INT64, Shape.of(rank)));
      return new SparseParts(made.get(0), made.get(1), made.get(2));
    } catch (RuntimeException | Error e) {
      made.forEach(Tensor::close);
      throw e;
    }
  }

  /** Fails unless the parts are a sparse tensor of this type. */
  void require(DataType type) {
    if (values.type() != type
        || indices.type() != DataType.INT64
        || shape.type() != DataType.INT64) {
      throw TributaryException.invalidArgument(
          "Requested SparseTensor of type %s but got indices, values and shape of types %s, %s and"
              + " %s",
          type.lowerName(),
          indices.type().lowerName(),
          values.type().lowerName(),
          shape.type().lowerName());
    }
    SparseInput.of(indices, values, shape);
  }

  /** Sets the outputs to the sparse tensor itself. */
  void set(KernelContext context) {
    context.setOutput(0, indices.retain());
    context.setOutput(1, values.retain());
    context.setOutput(2, shape.retain());
  }

  /**
   * Sets the outputs to one sparse tensor of all elements of a batch, as large as the largest of
   * them.
   *
   * @param batch the dimensions of the batch, which come first
   */
  static void merge(KernelContext context, List<SparseParts> elements, Shape batch) {
    int rank = (int) elements.get(0).shape.elementCount();
    long count = 0;
    long[] sizes = new long[rank];
    for (SparseParts element : elements) {
      if (element.shape.elementCount() != rank) {
        throw TributaryException.invalidArgument(
            "Inconsistent rank across SparseTensors: %d and %d",
            rank, element.shape.elementCount());
      }
      count += element.values.elementCount();
      for (int d = 0; d < rank; d++) {
        sizes[d] = Math.max(sizes[d], IndexTensors.at(element.shape, d));
      }
    }
    int wide = batch.rank() + rank;
    Tensor indices = context.allocateOutput(0, Shape.of(count, wide));
    Tensor values = context.allocateOutput(1, Shape.of(count));
    long at = 0;
    for (int i = 0; i < elements.size(); i++) {
      SparseParts element = elements.get(i);
      RowMove move = new RowMove(element.values, values, 1);
      for (long k = 0; k < element.values.elementCount(); k++, at++) {
        move.move(k, at);
        for (int d = 0; d < batch.rank(); d++) {
          IndexTensors.put(indices, at * wide + d, i / batch.strides()[d] % batch.size(d));
        }
        for (int d = 0; d < rank; d++) {
          long index = IndexTensors.at(element.indices, k * rank + d);
          IndexTensors.put(indices, at * wide + batch.rank() + d, index);
        }
      }
    }
    IndexTensors.setVector(context, 2, batch.concatenate(Shape.of(sizes)).toArray());
  }

  /** Gives back the references. */
  @Override
  public void close() {
    indices.close();
    values.close();
    shape.close();
  }
}
