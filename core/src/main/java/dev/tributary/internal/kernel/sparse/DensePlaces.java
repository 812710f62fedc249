package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The places in a dense tensor that indices of type int32 or int64 name, one after the other. Used
 * by one thread.
 */
final class DensePlaces {
  private final Tensor indices;
  private final Shape shape;
  private final boolean ordered;
  private long next;
  private long last = -1;

  /**
   * @param ordered whether places must not repeat or go back
   */
  DensePlaces(Tensor indices, Shape shape, boolean ordered) {
    this.indices = indices;
    this.shape = shape;
    this.ordered = ordered;
  }

  long next() {
    long row = next++;
    long place = 0;
    for (int d = 0; d < shape.rank(); d++) {
      long index = indices.getIndex(row * shape.rank() + d);
      if (index < 0 || index >= shape.size(d)) {
        throw TributaryException.invalidArgument(
            "indices[%d,%d] = %d is out of bounds: need 0 <= index < %s", row, d, index, shape);
      }
      place = place * shape.size(d) + index;
    }
    if (ordered && place <= last) {
      throw TributaryException.invalidArgument(
          place == last
              ? "indices[%d] is repeated"
              : "indices[%d] is out of order. Many sparse ops require sorted indices.",
          row);
    }
    last = place;
    return place;
  }
}
