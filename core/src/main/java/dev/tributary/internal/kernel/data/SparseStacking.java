package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.HeldTensor;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts elements of different sizes together as the rows of a sparse tensor, in three variants.
 *
 * @param row the sizes of a row; an unknown one is that of the largest element
 */
record SparseStacking(Allocator allocator, DataType type, Shape row)
    implements BatchIterator.Stacking {
  @Override
  public Tensor[] stack(List<Tensor[]> elements) {
    long[] sizes = sizes(elements);
    int rank = sizes.length;
    long count = elements.stream().mapToLong(element -> element[0].elementCount()).sum();
    List<Tensor> parts = new ArrayList<>();
    try {
      parts.add(SharedTensors.allocate(allocator, DataType.INT64, Shape.of(count, rank)));
      parts.add(SharedTensors.allocate(allocator, type, Shape.of(count)));
      parts.add(SharedTensors.take(Tensor.of(sizes)));
      fill(elements, parts.get(0), parts.get(1));
      SharedTensors.countStrings(parts.get(1), allocator.budget());
      Object[] held = parts.stream().map(HeldTensor::of).toArray();
      return new Tensor[] {
        SharedTensors.take(Tensor.ofObjects(DataType.VARIANT, Shape.of(parts.size()), held))
      };
    } catch (RuntimeException e) {
      parts.forEach(Tensor::close);
      throw e;
    }
  }

  /** The sizes of the sparse tensor: elements, and then those of a row. */
  private long[] sizes(List<Tensor[]> elements) {
    long[] sizes = new long[1 + row.rank()];
    sizes[0] = elements.size();
    for (int d = 0; d < row.rank(); d++) {
      sizes[1 + d] = Math.max(0, row.size(d));
    }
    for (Tensor[] element : elements) {
      requireRow(element);
      for (int d = 0; d < row.rank(); d++) {
        long size = element[0].shape().size(d);
        if (row.size(d) == Shape.UNKNOWN) {
          sizes[1 + d] = Math.max(sizes[1 + d], size);
        } else if (size > row.size(d)) {
          throw new TributaryException(
              ErrorCode.DATA_LOSS,
              String.format(
                  "Input element had shape %s that is incompatible with the row shape %s",
                  element[0].shape(), row));
        }
      }
    }
    return sizes;
  }

  private void requireRow(Tensor[] element) {
    if (element.length != 1 || element[0].type() != type || element[0].rank() != row.rank()) {
      throw TributaryException.invalidArgument(
          "Input element must be one %s tensor of rank %d, as the row shape, got %d components, the"
              + " first %s",
          type.lowerName(),
          row.rank(),
          element.length,
          element.length == 0 ? "none" : element[0].shape());
    }
  }

  private void fill(List<Tensor[]> elements, Tensor indices, Tensor values) {
    int rank = 1 + row.rank();
    long at = 0;
    for (int i = 0; i < elements.size(); i++) {
      Tensor element = elements.get(i)[0];
      Moves.run(element, 0, values, at, element.elementCount());
      long[] strides = element.shape().strides();
      for (long k = 0; k < element.elementCount(); k++, at++) {
        IndexTensors.put(indices, at * rank, i);
        for (int d = 1; d < rank; d++) {
          long index = k / strides[d - 1] % element.shape().size(d - 1);
          IndexTensors.put(indices, at * rank + d, index);
        }
      }
    }
  }
}
