package dev.tributary.internal.kernel.variant;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.TensorList;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Reads the inputs of list kernels, and makes their outputs. */
final class Lists {
  private Lists() {}

  static DataType elementType(KernelNode node) {
    return node.attributes().type("element_dtype");
  }

  /** The list in an input, borrowed. */
  static TensorList input(KernelContext c, int i) {
    Tensor handle = c.input(i);
    if (handle.rank() != 0) {
      throw TributaryException.invalidArgument(
          "Input list must be a scalar saw: %s", handle.shape());
    }
    return list(handle, 0, "Input handle is not a list");
  }

  /** The list in an input, borrowed, which must have elements of this type. */
  static TensorList input(KernelContext c, int i, DataType type) {
    TensorList list = input(c, i);
    requireType(list, type);
    return list;
  }

  /** One of the lists in a tensor, borrowed. */
  static TensorList list(Tensor handles, int at, String otherwise) {
    if (handles.objects()[at] instanceof TensorList list) {
      return list;
    }
    throw TributaryException.invalidArgument(
        "%s. Saw: '%s'", otherwise, Variant.describe(handles.objects()[at]));
  }

  static void requireType(TensorList list, DataType type) {
    if (list.elementType() != type) {
      throw TributaryException.invalidArgument(
          "Invalid data types; op elements %s but list elements %s",
          type.lowerName(), list.elementType().lowerName());
    }
  }

  /** Reads a shape input: a vector with -1 for unknown sizes, or -1 for an unknown rank. */
  static Shape shape(Tensor sizes) {
    if (sizes.rank() == 0) {
      if (sizes.getIndex(0) == -1) {
        return Shape.unknown();
      }
      throw TributaryException.invalidArgument(
          "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
    }
    if (sizes.rank() != 1) {
      throw TributaryException.invalidArgument(
          "a shape must be a vector or the scalar -1, got a tensor of shape %s", sizes.shape());
    }
    return Shape.of(sizes.toIndices());
  }

  /** The shape of an element as far as the list and a shape input tell it. */
  static Shape elementShape(KernelContext c, TensorList list, int i) {
    return shape(c.input(i)).merge(list.elementShape());
  }

  /** The same with what the shapes of all elements that are set say. */
  static Shape mergedWithElements(TensorList list, Shape known) {
    Shape merged = known;
    for (int i = 0; i < list.size(); i++) {
      merged = list.isSet(i) ? merged.merge(list.get(i).shape()) : merged;
    }
    return merged;
  }

  static void requireCompatible(TensorList list, Shape item, String what) {
    if (!list.elementShape().isCompatibleWith(item)) {
      throw TributaryException.invalidArgument(
          "%s Item element shape: %s list shape: %s", what, item, list.elementShape());
    }
  }

  /** The shape of a row of a tensor that has rows. */
  static Shape rowShape(Tensor tensor) {
    if (tensor.rank() == 0) {
      throw TributaryException.invalidArgument(
          "Tensor must be at least a vector, but saw shape: []");
    }
    return tensor.shape().slice(1, tensor.rank());
  }

  /** A new list, already in output 0. */
  static TensorList output(KernelContext c, DataType type, Shape elementShape, int limit) {
    TensorList list = new TensorList(type, elementShape, limit);
    c.setOutput(0, Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), list));
    return list;
  }

  /** The list of input 0 to be changed, already in output 0. */
  static TensorList changed(KernelContext c) {
    return (TensorList) allChanged(c)[0];
  }

  /**
   * The lists of input 0 to be changed, already in output 0: those of the input itself if nobody
   * else can see them, else copies.
   */
  static Object[] allChanged(KernelContext c) {
    Tensor input = c.input(0);
    Object[] lists = input.objects();
    if (c.canForward(0, 0, input.shape())) {
      c.setOutput(0, c.takeInput(0));
    } else {
      lists = new Object[lists.length];
      Variant.putAll(input.objects(), 0, lists, 0, lists.length);
      c.setOutput(0, Tensor.ofObjects(DataType.VARIANT, input.shape(), lists));
    }
    for (int i = 0; i < lists.length; i++) {
      TensorList list = (TensorList) lists[i];
      if (list.references() > 1) {
        lists[i] = list.copy();
        Variant.end(list);
      }
    }
    return lists;
  }
}
