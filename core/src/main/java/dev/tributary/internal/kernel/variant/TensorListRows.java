package dev.tributary.internal.kernel.variant;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.TensorList;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels that make lists of the rows of a tensor, and tensors of the elements of a list. */
public final class TensorListRows {
  private TensorListRows() {}

  public static void fromTensor(KernelContext c) {
    Shape elementShape = Lists.shape(c.input(1));
    Tensor rows = c.input(0);
    Shape row = Lists.rowShape(rows);
    requireRows(elementShape, row);
    TensorList list = Lists.output(c, rows.type(), elementShape, TensorList.UNLIMITED);
    list.resize(count(rows.shape().size(0)));
    for (int i = 0; i < list.size(); i++) {
      TensorListKernels.set(list, i, TensorListKernels.row(c, rows, i, row));
    }
  }

  public static Kernel stack(KernelNode node) {
    DataType type = Lists.elementType(node);
    int wanted = node.attributes().int32("num_elements");
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      if (wanted != -1 && wanted != list.size()) {
        throw TributaryException.invalidArgument(
            "Operation expected a list with %d elements but got a list with %d elements.",
            wanted, list.size());
      }
      Shape known = Lists.elementShape(c, list, 1);
      if (list.size() == 0 && !known.isFullyDefined()) {
        throw TributaryException.invalidArgument(
            "Tried to stack elements of an empty list with non-fully-defined element_shape: %s",
            known);
      }
      int[] all = new int[list.size()];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      join(c, list, all, known, "stack list which only contains uninitialized tensors and has a");
    };
  }

  public static Kernel gather(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      int[] indices = c.input(1).toInts();
      Shape known = Lists.elementShape(c, list, 2);
      if (indices.length == 0 && !known.isFullyDefined()) {
        throw TributaryException.invalidArgument(
            "Tried to gather 0-elements from a list with non-fully-defined shape: %s", known);
      }
      for (int index : indices) {
        if (index < 0 || index >= list.size()) {
          throw TributaryException.invalidArgument(
              "Trying to gather element %d in a list with %d elements.", index, list.size());
        }
      }
      join(c, list, indices, known, "gather uninitialized tensors from a list with");
    };
  }

  /** Gives these elements as one tensor; those that are not set are zeros. */
  private static void join(
      KernelContext c, TensorList list, int[] indices, Shape known, String attempt) {
    Shape shape = known;
    boolean isComplete = true;
    for (int index : indices) {
      boolean isSet = list.isSet(index);
      shape = isSet ? shape.merge(list.get(index).shape()) : shape;
      isComplete &= isSet;
    }
    if (!shape.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "Tried to %s non-fully-defined element_shape: %s", attempt, shape);
    }
    Tensor out = c.allocateOutput(0, Shape.of(indices.length).concatenate(shape));
    if (!isComplete) {
      Fill.zeros(out);
    }
    long length = shape.elementCount();
    for (int i = 0; i < indices.length; i++) {
      if (list.isSet(indices[i])) {
        Moves.run(list.get(indices[i]), 0, out, i * length, length);
      }
    }
  }

  /** With a fourth input, that is the size of the list. */
  public static void scatter(KernelContext c) {
    Shape elementShape = Lists.shape(c.input(2));
    int wanted = c.inputCount() > 3 ? c.input(3).intValue() : -1;
    if (wanted < -1) {
      throw TributaryException.invalidArgument(
          "TensorListScatter expects num_elements >= -1, found: %d", wanted);
    }
    Tensor rows = c.input(0);
    requireRows(elementShape, Lists.rowShape(rows));
    int[] indices = indices(c.input(1), rows);
    int highest = highest(indices);
    if (wanted != -1 && highest >= wanted) {
      throw TributaryException.invalidArgument(
          "TensorListScatter: Trying to scatter at index %d in list with size %d", highest, wanted);
    }
    TensorList list = Lists.output(c, rows.type(), elementShape, TensorList.UNLIMITED);
    list.resize(Math.max(highest + 1, wanted));
    setRows(c, list, indices, rows);
  }

  public static Kernel scatterInto(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      Tensor rows = c.input(1);
      requireRows(list.elementShape(), Lists.rowShape(rows));
      int[] indices = indices(c.input(2), rows);
      int size = Math.max(list.size(), highest(indices) + 1);
      TensorList.requirePossible(size);
      TensorList changed = Lists.changed(c);
      changed.resize(size);
      setRows(c, changed, indices, rows);
    };
  }

  private static void setRows(KernelContext c, TensorList list, int[] indices, Tensor rows) {
    Shape row = Lists.rowShape(rows);
    for (int i = 0; i < indices.length; i++) {
      TensorListKernels.set(list, indices[i], TensorListKernels.row(c, rows, i, row));
    }
  }

  private static int[] indices(Tensor indices, Tensor rows) {
    if (indices.rank() != 1 || indices.elementCount() != rows.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "Expected a vector of len(indices) == tensor.shape[0], but saw indices of shape %s for a"
              + " tensor of shape %s",
          indices.shape(), rows.shape());
    }
    return indices.toInts();
  }

  private static int highest(int[] indices) {
    int highest = -1;
    for (int index : indices) {
      if (index < 0) {
        throw TributaryException.invalidArgument(
            "Indices in TensorListScatter must all be non-negative.");
      }
      highest = Math.max(highest, index);
    }
    return highest;
  }

  public static void split(KernelContext c) {
    Shape elementShape = Lists.shape(c.input(1));
    if (elementShape.isScalar()) {
      throw TributaryException.invalidArgument(
          "TensorListSplit requires element_shape to be at least of rank 1, but saw: []");
    }
    Tensor rows = c.input(0);
    Shape row = Lists.rowShape(rows);
    if (!rest(elementShape).isCompatibleWith(row)) {
      throw TributaryException.invalidArgument(
          "tensor shape %s is not compatible with element_shape %s", rows.shape(), elementShape);
    }
    if (c.input(2).rank() != 1) {
      throw TributaryException.invalidArgument(
          "Expected lengths to be a vector, received shape: %s", c.input(2).shape());
    }
    long[] lengths = c.input(2).toIndices();
    requireAll(lengths, rows.shape().size(0));
    TensorList list = Lists.output(c, rows.type(), elementShape, TensorList.UNLIMITED);
    list.resize(lengths.length);
    long at = 0;
    for (int i = 0; i < lengths.length; i++) {
      Tensor part = c.allocate(rows.type(), Shape.of(lengths[i]).concatenate(row));
      Moves.run(rows, at, part, 0, part.elementCount());
      at += part.elementCount();
      TensorListKernels.set(list, i, part);
    }
  }

  private static void requireAll(long[] lengths, long rows) {
    long end = 0;
    for (long length : lengths) {
      if (length < 0) {
        throw TributaryException.invalidArgument("Invalid value in lengths: %d", length);
      }
      if (length > rows - end) {
        throw TributaryException.invalidArgument(
            "Attempting to slice [%d, %d] from tensor with length %d", end, end + length, rows);
      }
      end += length;
    }
    if (end != rows) {
      throw TributaryException.invalidArgument(
          "Unused values in tensor. Length of tensor: %d Values used: %d", rows, end);
    }
  }

  public static Kernel concat(KernelNode node) {
    DataType type = Lists.elementType(node);
    Shape given = node.attributes().shape("element_shape");
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      new Concatenation(list, given.merge(list.elementShape()), new long[0]).compute(c);
    };
  }

  public static Kernel concatV2(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      Shape known = Lists.elementShape(c, list, 1);
      new Concatenation(list, known, c.input(2).toIndices()).compute(c);
    };
  }

  private static void requireRows(Shape elementShape, Shape row) {
    if (!elementShape.isCompatibleWith(row)) {
      throw TributaryException.invalidArgument(
          "Specified a list with shape %s from a tensor with shape %s", elementShape, row);
    }
  }

  private static int count(long rows) {
    int count = (int) Math.min(rows, Integer.MAX_VALUE);
    TensorList.requirePossible(count);
    return count;
  }

  /** The shape without its first dimension. */
  private static Shape rest(Shape shape) {
    return shape.hasRank() ? shape.slice(1, shape.rank()) : shape;
  }

  /** The elements of a list along their first dimension. */
  private record Concatenation(TensorList list, Shape known, long[] leadingSizes) {
    void compute(KernelContext c) {
      if (known.isScalar()) {
        throw TributaryException.invalidArgument(
            "Concat requires elements to be at least vectors, found scalars instead.");
      }
      Shape row = rowShape();
      long[] lengths = lengths();
      long rows = 0;
      Tensor outLengths = c.allocateOutput(1, Shape.of(lengths.length));
      boolean isComplete = true;
      for (int i = 0; i < lengths.length; i++) {
        isComplete &= list.isSet(i);
        rows += lengths[i];
        if (rows < 0) {
          throw TributaryException.invalidArgument("the elements have more rows than 2^63");
        }
        Memory.putLong(outLengths.storage().address() + 8L * i, lengths[i]);
      }
      Tensor out = c.allocateOutput(0, Shape.of(rows).concatenate(row));
      if (!isComplete) {
        Fill.zeros(out);
      }
      long length = row.elementCount();
      long at = 0;
      for (int i = 0; i < lengths.length; i++) {
        if (list.isSet(i)) {
          Moves.run(list.get(i), 0, out, at, lengths[i] * length);
        }
        at += lengths[i] * length;
      }
    }

    private Shape rowShape() {
      Shape row = rest(known);
      if (list.size() == 0 && !row.isFullyDefined()) {
        throw TributaryException.invalidArgument(
            "All except the first dimension must be fully defined when concating an empty tensor"
                + " list. element_shape: %s",
            known);
      }
      for (int i = 0; i < list.size(); i++) {
        if (list.isSet(i)) {
          Shape shape = list.get(i).shape();
          if (shape.isScalar()) {
            throw TributaryException.invalidArgument(
                "Concat saw a scalar shape at index %d but requires at least vectors.", i);
          }
          if (!known.isCompatibleWith(shape)) {
            throw TributaryException.invalidArgument(
                "the list element at index %d has shape %s, but element_shape is %s",
                i, shape, known);
          }
          row = row.merge(rest(shape));
        }
      }
      if (!row.isFullyDefined()) {
        throw TributaryException.invalidArgument(
            "Trying to concat list with only uninitialized tensors but element_shape without its"
                + " first dimension is not fully defined: %s",
            row);
      }
      return row;
    }

    private long[] lengths() {
      long common = commonLength();
      long[] lengths = new long[list.size()];
      for (int i = 0; i < lengths.length; i++) {
        if (list.isSet(i)) {
          lengths[i] = list.get(i).shape().size(0);
        } else if (i < leadingSizes.length) {
          lengths[i] = leadingSizes[i];
        } else {
          lengths[i] = common;
        }
        if (lengths[i] < 0) {
          throw TributaryException.invalidArgument(
              "List contains uninitialized tensor at index %d but leading_dims has only %d"
                  + " elements.",
              i, leadingSizes.length);
        }
      }
      return lengths;
    }

    /** The size of the first dimension that all elements have, or -1. */
    private long commonLength() {
      long common = known.hasRank() ? known.size(0) : Shape.UNKNOWN;
      boolean isOpen = common == Shape.UNKNOWN;
      for (int i = 0; isOpen && i < list.size(); i++) {
        if (list.isSet(i)) {
          long length = list.get(i).shape().size(0);
          if (common != Shape.UNKNOWN && common != length) {
            return Shape.UNKNOWN;
          }
          common = length;
        }
      }
      return common;
    }
  }
}
