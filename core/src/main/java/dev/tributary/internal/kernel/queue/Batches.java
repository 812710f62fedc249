package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Takes batches apart into elements and puts elements together to batches. */
final class Batches {
  private Batches() {}

  /** Row {@code i} of each component, as tensors of their own. */
  static List<Tensor> rows(Allocator allocator, List<Tensor> batch, int i) {
    return batch.stream().map(component -> row(allocator, component, i)).toList();
  }

  private static Tensor row(Allocator allocator, Tensor batch, int i) {
    Shape shape = batch.shape().slice(1, batch.rank());
    Tensor row = SharedTensors.allocate(allocator, batch.type(), shape);
    long length = row.elementCount();
    Moves.rows(1, length, batch, i * length, length, row, 0, length);
    try {
      SharedTensors.countStrings(row, allocator.budget());
    } catch (TributaryException e) {
      row.close();
      throw e;
    }
    return row;
  }

  /**
   * The rows on top of each other. Where {@code shape} leaves a size open, it becomes the largest
   * of the rows', and smaller ones are filled up with zeros or empty strings.
   */
  static Tensor stack(Allocator allocator, QueueSpec spec, int component, List<Tensor> rows) {
    Shape row = commonShape(spec.shapes().get(component), rows);
    Shape batchShape = Shape.of(rows.size()).concatenate(row);
    boolean padded = rows.stream().anyMatch(tensor -> !tensor.shape().equals(row));
    Tensor batch =
        padded
            ? SharedTensors.zeros(allocator, spec.types().get(component), batchShape)
            : SharedTensors.allocate(allocator, spec.types().get(component), batchShape);
    long length = row.elementCount();
    long[] strides = row.strides();
    for (int i = 0; i < rows.size(); i++) {
      Tensor source = rows.get(i);
      if (source.elementCount() > 0) {
        Moves.copy(
            source.shape().toArray(),
            source,
            0,
            source.shape().strides(),
            batch,
            i * length,
            strides);
      }
    }
    return batch;
  }

  private static Shape commonShape(Shape declared, List<Tensor> rows) {
    if (declared.isFullyDefined()) {
      return declared;
    }
    long[] sizes = declared.toArray();
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] == Shape.UNKNOWN) {
        sizes[d] = 0;
        for (Tensor row : rows) {
          sizes[d] = Math.max(sizes[d], row.shape().size(d));
        }
      }
    }
    return Shape.of(sizes);
  }
}
