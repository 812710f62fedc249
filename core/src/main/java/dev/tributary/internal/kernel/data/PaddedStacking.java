package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Puts elements of different shapes together, each filled up to one shape.
 *
 * @param shapes of each component; an unknown size is that of the largest element
 * @param fillers scalars, one for each component, of whoever made this
 */
record PaddedStacking(Allocator allocator, List<Shape> shapes, List<Tensor> fillers)
    implements BatchIterator.Stacking {
  @Override
  public Tensor[] stack(List<Tensor[]> elements) {
    Tensor[] batch = new Tensor[shapes.size()];
    try {
      for (int c = 0; c < batch.length; c++) {
        batch[c] = component(elements, c);
        SharedTensors.countStrings(batch[c], allocator.budget());
      }
      return batch;
    } catch (RuntimeException e) {
      Elements.close(batch);
      throw e;
    }
  }

  private Tensor component(List<Tensor[]> elements, int c) {
    Shape row = shapes.get(c);
    for (Tensor[] element : elements) {
      Elements.requireType(fillers.get(c).type(), element[c], c);
      row = grown(row, element[c].shape(), c);
    }
    Tensor batch =
        SharedTensors.allocate(
            allocator, fillers.get(c).type(), Shape.of(elements.size()).concatenate(row));
    fill(batch, fillers.get(c));
    for (int i = 0; i < elements.size(); i++) {
      copy(elements.get(i)[c], 0, 0, batch, row, i * row.elementCount());
    }
    return batch;
  }

  /** The sizes that are free in the stage's shape become the largest of any element. */
  private Shape grown(Shape row, Shape element, int c) {
    Shape wanted = shapes.get(c);
    if (element.rank() != wanted.rank()) {
      throw TributaryException.invalidArgument(
          "All elements in a batch must have the same rank as the padded shape for component%d:"
              + " expected rank %d but got element with rank %d",
          c, wanted.rank(), element.rank());
    }
    Shape grown = row;
    for (int i = 0; i < wanted.rank(); i++) {
      if (wanted.size(i) == Shape.UNKNOWN) {
        long before = Math.max(0, grown.size(i));
        grown = grown.withSize(i, Math.max(before, element.size(i)));
      } else if (element.size(i) > wanted.size(i)) {
        throw new TributaryException(
            ErrorCode.DATA_LOSS,
            String.format(
                "Attempted to pad to a smaller size than the input element: component %d has shape"
                    + " %s, padded shape %s",
                c, element, wanted));
      }
    }
    return grown;
  }

  private static void fill(Tensor batch, Tensor filler) {
    long count = batch.elementCount();
    for (long done = 0; done < count; ) {
      long run = done == 0 ? 1 : Math.min(done, count - done);
      Moves.run(done == 0 ? filler : batch, 0, batch, done, run);
      done += run;
    }
  }

  /** Copies what follows an index of the element's first dimensions to its place in a row. */
  private static void copy(
      Tensor element, int dimension, long from, Tensor batch, Shape row, long to) {
    if (dimension >= element.rank() - 1) {
      Moves.run(
          element, from, batch, to, element.rank() == 0 ? 1 : element.shape().size(dimension));
      return;
    }
    long fromStep = element.shape().slice(dimension + 1, element.rank()).elementCount();
    long toStep = row.slice(dimension + 1, row.rank()).elementCount();
    for (long i = 0; i < element.shape().size(dimension); i++) {
      copy(element, dimension + 1, from + i * fromStep, batch, row, to + i * toStep);
    }
  }
}
