package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Comparator;

/** The kernels that put values of sparse tensors in order, or several tensors into one. */
public final class SparseOrder {
  private SparseOrder() {}

  /** Puts values in the order of their places. */
  public static void reorder(KernelContext context) {
    SparseInput input = SparseInput.of(context, 0).requireInBounds();
    long[] places = new long[ArrayLength.of(input.count())];
    for (int i = 0; i < places.length; i++) {
      places[i] = input.place(i);
    }
    int[] order = order(places);
    Tensor indices = context.allocateOutput(0, input.indices().shape());
    RowMove index = new RowMove(input.indices(), indices, input.rank());
    RowMove value =
        new RowMove(input.values(), context.allocateOutput(1, input.values().shape()), 1);
    for (int i = 0; i < order.length; i++) {
      index.move(order[i], i);
      value.move(order[i], i);
    }
  }

  /** The numbers of the places from the least to the greatest; equal ones stay in their order. */
  static int[] order(long[] places) {
    boolean sorted = true;
    for (int i = 1; i < places.length && sorted; i++) {
      sorted = places[i - 1] <= places[i];
    }
    int[] order = new int[places.length];
    Arrays.setAll(order, i -> i);
    if (sorted) {
      return order;
    }
    Integer[] boxed = new Integer[places.length];
    Arrays.setAll(boxed, i -> i);
    Arrays.sort(boxed, Comparator.comparingLong(i -> places[i]));
    Arrays.setAll(order, i -> boxed[i]);
    return order;
  }

  /** One sparse tensor behind the other along a dimension. */
  public static Kernel concat(KernelNode node) {
    long dimension = node.attributes().integer("concat_dim");
    return context -> concat(context, dimension);
  }

  private static void concat(KernelContext context, long dimension) {
    int count = context.inputCount() / 3;
    SparseInput[] inputs = new SparseInput[count];
    long values = 0;
    for (int i = 0; i < count; i++) {
      inputs[i] =
          SparseInput.of(context.input(i), context.input(count + i), context.input(2 * count + i));
      values += inputs[i].requireInBounds().count();
    }
    int axis = axis(dimension, inputs[0].rank(), "Concat dimension");
    Shape shape = inputs[0].shape();
    for (int i = 1; i < count; i++) {
      shape = joined(shape, inputs[i].shape(), axis);
    }
    long unused = shape.elementCount();
    long[] strides = shape.strides();
    long[] places = new long[ArrayLength.of(values)];
    int[] source = new int[places.length];
    int[] row = new int[places.length];
    int at = 0;
    long shift = 0;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < inputs[i].count(); j++, at++) {
        places[at] = inputs[i].place(j, 0, shape.rank(), strides) + shift * strides[axis];
        source[at] = i;
        row[at] = j;
      }
      shift += inputs[i].shape().size(axis);
    }
    Tensor output = context.allocateOutput(1, Shape.of(values));
    RowMove[] moves = new RowMove[count];
    Arrays.setAll(moves, i -> new RowMove(inputs[i].values(), output, 1));
    long to = context.allocateOutput(0, Shape.of(values, shape.rank())).storage().address();
    int[] order = order(places);
    for (int i = 0; i < order.length; i++) {
      moves[source[order[i]]].move(row[order[i]], i);
      writeIndex(to + 8L * i * shape.rank(), places[order[i]], strides);
    }
    IndexTensors.setVector(context, 2, shape.toArray());
  }

  private static Shape joined(Shape a, Shape b, int axis) {
    if (a.rank() != b.rank() || !a.withSize(axis, b.size(axis)).equals(b)) {
      throw TributaryException.invalidArgument(
          "Input shapes must match in all dimensions but %d, got %s and %s", axis, a, b);
    }
    long size = a.size(axis) + b.size(axis);
    if (size < 0) {
      throw TributaryException.invalidArgument(
          "shapes %s and %s are too large to be joined along dimension %d", a, b, axis);
    }
    return a.withSize(axis, size);
  }

  /** A dimension that may be counted from the end. */
  static int axis(long dimension, int rank, String what) {
    if (dimension < -rank || dimension >= rank) {
      throw TributaryException.invalidArgument(
          "%s must be in range [%d, %d), got %d", what, -rank, rank, dimension);
    }
    return (int) (dimension < 0 ? dimension + rank : dimension);
  }

  /** Writes the coordinates of a place. */
  static void writeIndex(long address, long place, long[] strides) {
    long rest = place;
    for (int d = 0; d < strides.length; d++) {
      Memory.putLong(address + 8L * d, rest / strides[d]);
      rest %= strides[d];
    }
  }
}
