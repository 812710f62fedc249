package dev.tributary.internal.kernel.variant;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.tensor.TensorList;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels that make lists of tensors, and read and change single elements of them. */
public final class TensorListKernels {
  private TensorListKernels() {}

  public static Kernel empty(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      if (c.input(1).rank() != 0) {
        throw TributaryException.invalidArgument(
            "max_num_elements expected to be a scalar but got shape: %s", c.input(1).shape());
      }
      Lists.output(c, type, Lists.shape(c.input(0)), c.input(1).intValue());
    };
  }

  public static Kernel reserve(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      Shape shape = Lists.shape(c.input(0));
      int size = c.input(1).intValue();
      if (size < 0) {
        throw TributaryException.invalidArgument(
            "The num_elements to reserve must be a non negative number, but got %d", size);
      }
      Lists.output(c, type, shape, TensorList.UNLIMITED).resize(size);
    };
  }

  public static Kernel pushBack(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      Tensor item = c.input(1);
      Lists.requireCompatible(
          list, item.shape(), "Tried to append a tensor with incompatible shape to a list.");
      if (list.limit() != TensorList.UNLIMITED && list.size() >= list.limit()) {
        throw TributaryException.invalidArgument(
            "Tried to push item into a full list list size: %d max_num_elements: %d",
            list.size(), list.limit());
      }
      push(Lists.changed(c), item.retain());
    };
  }

  public static Kernel popBack(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      int last = list.size() - 1;
      if (last < 0) {
        throw TributaryException.invalidArgument("Trying to pop from an empty list.");
      }
      if (list.isSet(last)) {
        c.setOutput(1, list.get(last).retain());
      } else {
        c.setOutput(1, zeros(c, type, Lists.elementShape(c, list, 1), ""));
      }
      Lists.changed(c).resize(last);
    };
  }

  public static Kernel getItem(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      int index = c.input(1).intValue();
      requireIndex(list, index, "access");
      if (list.isSet(index)) {
        c.setOutput(0, list.get(index).retain());
        return;
      }
      Shape known = Lists.elementShape(c, list, 2);
      Shape shape = known.isFullyDefined() ? known : Lists.mergedWithElements(list, known);
      c.setOutput(0, zeros(c, type, shape, " and no list element is set."));
    };
  }

  public static Kernel setItem(KernelNode node) {
    DataType type = Lists.elementType(node);
    boolean grows = node.attributes().bool("resize_if_index_out_of_bounds");
    return c -> {
      TensorList list = Lists.input(c, 0, type);
      int index = c.input(1).intValue();
      if (!grows || index < 0) {
        requireIndex(list, index, "modify");
      }
      Tensor item = c.input(2);
      Lists.requireCompatible(
          list, item.shape(), "Tried to set a tensor with incompatible shape at a list index.");
      TensorList changed = Lists.changed(c);
      if (index >= changed.size()) {
        changed.resize(index + 1);
      }
      set(changed, index, item.retain());
    };
  }

  public static void length(KernelContext c) {
    c.setOutput(0, Tensor.scalar(Lists.input(c, 0).size()));
  }

  /** Unknown sizes are -1; so is a scalar that stands for an unknown rank. */
  public static void elementShape(KernelContext c) {
    Shape shape = Lists.input(c, 0).elementShape();
    Tensor sizes = c.allocateOutput(0, shape.hasRank() ? Shape.of(shape.rank()) : Shape.scalar());
    for (int i = 0; i < sizes.elementCount(); i++) {
      long size = shape.hasRank() ? shape.size(i) : -1;
      if (sizes.type() == DataType.INT32) {
        Memory.putInt(sizes.storage().address() + 4L * i, (int) size);
      } else {
        Memory.putLong(sizes.storage().address() + 8L * i, size);
      }
    }
  }

  public static void resize(KernelContext c) {
    Lists.input(c, 0);
    int size = c.input(1).intValue();
    if (size < 0) {
      throw TributaryException.invalidArgument(
          "TensorListSlice expects size to be non-negative. Got: %d", size);
    }
    TensorList.requirePossible(size);
    Lists.changed(c).resize(size);
  }

  /** Appends the lists of input 1 to those of input 0, each to the one in its place. */
  public static Kernel concatLists(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      Tensor heads = c.input(0);
      Tensor tails = c.input(1);
      if (!heads.shape().equals(tails.shape())) {
        throw TributaryException.invalidArgument(
            "Incompatible input TensorList tensor shapes: %s vs. %s", heads.shape(), tails.shape());
      }
      for (int i = 0; i < heads.elementCount(); i++) {
        TensorList head = Lists.list(heads, i, "input_a is not a TensorList at index " + i);
        TensorList tail = Lists.list(tails, i, "input_b is not a TensorList at index " + i);
        Lists.requireType(head, type);
        Lists.requireType(tail, type);
        if (!head.elementShape().equals(tail.elementShape())) {
          throw TributaryException.invalidArgument(
              "input_a and input_b TensorList element shapes are not identical at index %d. Saw %s"
                  + " vs. %s",
              i, head.elementShape(), tail.elementShape());
        }
      }
      Object[] joined = Lists.allChanged(c);
      for (int i = 0; i < joined.length; i++) {
        append((TensorList) joined[i], (TensorList) tails.objects()[i]);
      }
    };
  }

  /** Appends a row of input 1 to each list of input 0. */
  public static Kernel pushBackBatch(KernelNode node) {
    DataType type = Lists.elementType(node);
    return c -> {
      Tensor handles = c.input(0);
      Tensor rows = c.input(1);
      Shape row = Lists.rowShape(rows);
      if (handles.rank() != 1) {
        throw TributaryException.invalidArgument(
            "Expected input_handles to be a vector, but saw shape: %s", handles.shape());
      }
      if (rows.shape().size(0) != handles.elementCount()) {
        throw TributaryException.invalidArgument(
            "Expected tensor.shape[0] == input_handles.size, but saw %d vs. %d",
            rows.shape().size(0), handles.elementCount());
      }
      for (int i = 0; i < handles.elementCount(); i++) {
        TensorList list = Lists.list(handles, i, "Input handle at index " + i + " is not a list");
        Lists.requireCompatible(
            list,
            row,
            "Tried to append a tensor with incompatible shape to a list at index " + i + ".");
        Lists.requireType(list, type);
      }
      Object[] lists = Lists.allChanged(c);
      for (int i = 0; i < lists.length; i++) {
        push((TensorList) lists[i], row(c, rows, i, row));
      }
    };
  }

  private static void append(TensorList head, TensorList tail) {
    int before = head.size();
    int added = tail.size();
    head.resize(before + added);
    for (int i = 0; i < added; i++) {
      if (tail.isSet(i)) {
        set(head, before + i, tail.get(i).retain());
      }
    }
  }

  /** A row of a tensor as a tensor of its own. */
  static Tensor row(KernelContext c, Tensor rows, long at, Shape shape) {
    Tensor row = c.allocate(rows.type(), shape);
    long length = shape.elementCount();
    Moves.run(rows, at * length, row, 0, length);
    return row;
  }

  /** Sets an element, or closes it if that fails. */
  static void set(TensorList list, int index, Tensor element) {
    try {
      list.set(index, element);
    } catch (RuntimeException e) {
      element.close();
      throw e;
    }
  }

  private static void push(TensorList list, Tensor element) {
    try {
      list.push(element);
    } catch (RuntimeException e) {
      element.close();
      throw e;
    }
  }

  /** Returns the value of an unset element of this shape. */
  private static Tensor zeros(KernelContext c, DataType type, Shape shape, String more) {
    if (!shape.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "Trying to read an uninitialized tensor but element_shape is not fully defined: %s%s",
          shape, more);
    }
    return SharedTensors.zeros(c.allocator(), type, shape);
  }

  private static void requireIndex(TensorList list, int index, String verb) {
    if (index < 0 || index >= list.size()) {
      throw TributaryException.invalidArgument(
          "Trying to %s element %d in a list with %d elements.", verb, index, list.size());
    }
  }
}
