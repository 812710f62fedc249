package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The index vectors of a GatherNd or ScatterNd, each of which names a row of a tensor by its
 * leading dimensions.
 */
final class NdIndices {
  private final Tensor indices;
  private final Shape rows;
  private final Shape shape;
  private final int depth;
  private final long count;
  private final long rowLength;

  /**
   * @param shape of the tensor that is indexed
   */
  NdIndices(Tensor indices, Shape shape) {
    this(indices, indices.shape(), shape);
  }

  /**
   * @param view the shape in which the indices are seen
   */
  NdIndices(Tensor indices, Shape view, Shape shape) {
    this.indices = indices;
    this.rows = view.slice(0, view.rank() - 1);
    this.shape = shape;
    this.depth = (int) view.size(-1);
    this.count = rows.elementCount();
    this.rowLength = shape.slice(depth, shape.rank()).elementCount();
  }

  long count() {
    return count;
  }

  long rowLength() {
    return rowLength;
  }

  /** The number of the row that index vector {@code i} names, or -1 if there is none. */
  long row(long i) {
    long row = 0;
    for (int d = 0; d < depth; d++) {
      long index = IndexTensors.at(indices, i * depth + d);
      if (index < 0 || index >= shape.size(d)) {
        return -1;
      }
      row = row * shape.size(d) + index;
    }
    return row;
  }

  TributaryException bad(long i, String what) {
    StringBuilder vector = new StringBuilder();
    for (int d = 0; d < depth; d++) {
      vector.append(d == 0 ? "" : ", ").append(IndexTensors.at(indices, i * depth + d));
    }
    String place = IndexTensors.coordinates(rows, i);
    return TributaryException.invalidArgument(
        "indices%s = [%s] does not index into %s %s", place, vector, what, shape);
  }
}
