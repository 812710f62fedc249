package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Concatenation, stacking and their inverses, with the shape arithmetic that their shape rules use
 * too.
 */
public final class Joining {
  private Joining() {}

  /** The shape of tensors of these shapes joined along an existing axis. */
  public static Shape concatenated(List<Shape> shapes, long axis) {
    Shape joined = shapes.get(0);
    for (Shape shape : shapes) {
      joined = joined.hasRank() ? joined : shape;
    }
    if (!joined.hasRank()) {
      return Shape.unknown();
    }
    int at = Axes.resolve(axis, joined.rank());
    long sum = 0;
    joined = joined.withSize(at, Shape.UNKNOWN);
    for (int i = 0; i < shapes.size(); i++) {
      Shape shape = shapes.get(i);
      if (!shape.hasRank()) {
        sum = Shape.UNKNOWN;
        continue;
      }
      if (shape.rank() != joined.rank()
          || !shape.withSize(at, Shape.UNKNOWN).isCompatibleWith(joined)) {
        throw TributaryException.invalidArgument(
            "tensors must agree in all dimensions but %d: value %d has shape %s, the others %s",
            at, i, shape, joined);
      }
      joined = joined.merge(shape.withSize(at, Shape.UNKNOWN));
      sum =
          sum == Shape.UNKNOWN || shape.size(at) == Shape.UNKNOWN
              ? Shape.UNKNOWN
              : sum + shape.size(at);
    }
    return joined.withSize(at, sum);
  }

  /** Joins the inputs from {@code first} on, {@code count} of them, along an axis. */
  public static void concat(KernelContext context, int first, int count, long axis) {
    List<Shape> shapes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shapes.add(context.input(first + i).shape());
    }
    Shape joined = concatenated(shapes, axis);
    int at = Axes.resolve(axis, joined.rank());
    Tensor output = context.allocateOutput(0, joined);
    if (output.elementCount() == 0) {
      return;
    }
    long outer = Axes.outer(joined, at);
    long row = joined.size(at) * Axes.inner(joined, at);
    long offset = 0;
    for (int i = 0; i < count; i++) {
      Tensor part = context.input(first + i);
      long length = part.elementCount() / outer;
      Moves.rows(outer, length, part, 0, length, output, offset, row);
      offset += length;
    }
  }

  /**
   * Output {@code i} is where the tensor whose shape is input {@code i + 1} begins when all are
   * joined.
   */
  public static void offsets(KernelContext context) {
    IndexTensors.requireScalar(context.input(0), "concat_dim");
    long[] first = IndexTensors.vector(context.input(1), "shape");
    int at = Axes.resolve(context.input(0).getIndex(0), first.length);
    long offset = 0;
    for (int i = 1; i < context.inputCount(); i++) {
      long[] sizes = IndexTensors.vector(context.input(i), "shape", first.length);
      long[] begin = new long[first.length];
      begin[at] = offset;
      offset += sizes[at];
      sizes[at] = first[at];
      if (!Arrays.equals(sizes, first)) {
        throw TributaryException.invalidArgument(
            "shapes must agree in all dimensions but %d, got %s for value %d and %s for the first",
            at, Arrays.toString(sizes), i - 1, Arrays.toString(first));
      }
      IndexTensors.setVector(context, i - 1, begin);
    }
  }

  /** The size of an equal part of an axis, as far as that is known. */
  public static long equalPart(long size, int parts) {
    if (size != Shape.UNKNOWN && size % parts != 0) {
      throw TributaryException.invalidArgument(
          "Number of ways to split should evenly divide the split dimension, but got size %d and %d"
              + " parts",
          size, parts);
    }
    return size == Shape.UNKNOWN ? Shape.UNKNOWN : size / parts;
  }

  /** Cuts {@code value} along an axis into equal outputs. */
  public static void split(KernelContext context, Tensor value, long axis, int parts) {
    int at = Axes.resolve(axis, value.rank());
    long[] sizes = new long[parts];
    Arrays.fill(sizes, equalPart(value.shape().size(at), parts));
    cut(context, value, at, sizes);
  }

  /** Cuts {@code value} along an axis into outputs of these sizes, of which one may be -1. */
  public static void splitV(KernelContext context, Tensor value, long axis, long[] sizes) {
    int at = Axes.resolve(axis, value.rank());
    if (sizes.length == 1 && sizes[0] != value.shape().size(at)) {
      throw TributaryException.invalidArgument(
          "If there is only one output, it must have the same size as the input. Input size: %d"
              + " output size: %d",
          value.shape().size(at), sizes[0]);
    }
    cut(context, value, at, splitSizes(sizes, value.shape().size(at)));
  }

  private static void cut(KernelContext context, Tensor value, int axis, long[] sizes) {
    Shape shape = value.shape();
    long outer = Axes.outer(shape, axis);
    long inner = Axes.inner(shape, axis);
    long row = shape.size(axis) * inner;
    long offset = 0;
    for (int i = 0; i < sizes.length; i++) {
      Tensor part = context.allocateOutput(i, shape.withSize(axis, sizes[i]));
      Moves.rows(outer, sizes[i] * inner, value, offset, row, part, 0, sizes[i] * inner);
      offset += sizes[i] * inner;
    }
  }

  /** Puts equal tensors beside each other along a new axis. */
  public static void pack(KernelContext context, long axis) {
    Shape part = context.input(0).shape();
    for (int i = 1; i < context.inputCount(); i++) {
      if (!context.input(i).shape().equals(part)) {
        throw TributaryException.invalidArgument(
            "Shapes of all inputs must match: value 0 has shape %s, value %d has shape %s",
            part, i, context.input(i).shape());
      }
    }
    int count = context.inputCount();
    int at = Axes.resolve(axis, part.rank() + 1);
    Shape packed =
        part.slice(0, at).concatenate(Shape.of(count)).concatenate(part.slice(at, part.rank()));
    Tensor output = context.allocateOutput(0, packed);
    long outer = part.slice(0, at).elementCount();
    long inner = part.slice(at, part.rank()).elementCount();
    for (int i = 0; i < count; i++) {
      Moves.rows(outer, inner, context.input(i), 0, inner, output, i * inner, count * inner);
    }
  }

  /** Takes a tensor apart along an axis, which vanishes. */
  public static void unpack(KernelContext context, int count, long axis) {
    Tensor value = context.input(0);
    Shape shape = value.shape();
    int at = Axes.resolve(axis, shape.rank());
    if (shape.size(at) != count) {
      throw TributaryException.invalidArgument(
          "axis %d of the input, of shape %s, must have size %d", at, shape, count);
    }
    Shape part = shape.slice(0, at).concatenate(shape.slice(at + 1, shape.rank()));
    long outer = Axes.outer(shape, at);
    long inner = Axes.inner(shape, at);
    for (int i = 0; i < count; i++) {
      Tensor output = context.allocateOutput(i, part);
      Moves.rows(outer, inner, value, i * inner, count * inner, output, 0, inner);
    }
  }

  /** The sizes of a SplitV with at most one -1 filled in from the size of the axis. */
  public static long[] splitSizes(long[] sizes, long total) {
    long[] filled = sizes.clone();
    int open = -1;
    long sum = 0;
    for (int i = 0; i < filled.length; i++) {
      if (filled[i] == -1 && open < 0) {
        open = i;
      } else if (filled[i] < 0) {
        throw TributaryException.invalidArgument(
            "split sizes must be non-negative, with at most one -1, got %s",
            Arrays.toString(sizes));
      } else {
        sum += filled[i];
      }
    }
    if (open >= 0) {
      filled[open] = total - sum;
    }
    if (open < 0 ? sum != total : filled[open] < 0) {
      throw TributaryException.invalidArgument(
          "split sizes %s do not add up to the size of the axis, %d",
          Arrays.toString(sizes), total);
    }
    return filled;
  }
}
