package dev.tributary.optable;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * A random sparse tensor: some places of a shape in ascending order, and values of the draw's type.
 */
record SparseDraw(Draw d, Shape shape, long[] places) {
  /** About half of the places of a shape, or none for an empty draw. */
  static SparseDraw of(Draw d, Shape shape) {
    return of(d, shape, d.size() == Draw.Size.EMPTY ? 0 : 2);
  }

  /** Each place with a chance of {@code of4} to 4. */
  static SparseDraw of(Draw d, Shape shape, int of4) {
    long[] places = new long[(int) shape.elementCount()];
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      if (d.integer(0, 3) < of4) {
        places[count++] = i;
      }
    }
    return new SparseDraw(d, shape, Arrays.copyOf(places, count));
  }

  /** The same places in any order. */
  SparseDraw shuffled() {
    long[] mixed = places.clone();
    for (int i = mixed.length - 1; i > 0; i--) {
      int j = d.integer(0, i);
      long swapped = mixed[i];
      mixed[i] = mixed[j];
      mixed[j] = swapped;
    }
    return new SparseDraw(d, shape, mixed);
  }

  int count() {
    return places.length;
  }

  Tensor indices() {
    return indices(DataType.INT64);
  }

  Tensor indices(DataType type) {
    int rank = shape.rank();
    long[] strides = shape.strides();
    long[] indices = new long[places.length * rank];
    for (int i = 0; i < places.length; i++) {
      for (int dim = 0; dim < rank; dim++) {
        indices[i * rank + dim] = places[i] / strides[dim] % shape.size(dim);
      }
    }
    return ArrayDraws.integers(type, Shape.of(places.length, rank), indices);
  }

  Tensor values() {
    return d.tensor(Shape.of(places.length));
  }

  Tensor sizes() {
    return sizes(DataType.INT64);
  }

  Tensor sizes(DataType type) {
    return ArrayDraws.vector(type, shape.toArray());
  }

  /** A call with this tensor as its first three inputs. */
  OpCall call() {
    return OpCall.of(indices(), values()).constant(sizes());
  }
}
