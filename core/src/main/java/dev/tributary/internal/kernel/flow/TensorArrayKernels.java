package dev.tributary.internal.kernel.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ResourceContainer;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernels of tensor arrays. A scalar called flow goes in and out of most and has no value: it
 * only gives them an order.
 */
public final class TensorArrayKernels {
  private TensorArrayKernels() {}

  public static Kernel make(KernelNode node) {
    TensorArrayOptions options = TensorArrayOptions.of(node.attributes());
    String given = node.attributes().string("tensor_array_name");
    String hint = given.isEmpty() ? node.name() : given;
    return c -> {
      String name = StepResources.uniqueName(hint);
      c.step().scratch().add(name, new TensorArray(name, options, c.input(0).intValue()));
      c.setOutput(0, StepResources.handle(c, name, TensorArray.class));
      setFlow(c, 1);
    };
  }

  /** Makes the array of gradients at the first call; all calls with one source share it. */
  public static Kernel gradient(KernelNode node) {
    String source = node.attributes().string("source");
    return c -> {
      ResourceContainer scratch = c.step().scratch();
      TensorArray array = array(c);
      String name = StepResources.nameOf(c.input(0)) + "@" + source;
      scratch.findOrCreate(
          name, TensorArray.class, () -> array.gradient(name, c.allocator().budget()));
      c.setOutput(0, StepResources.handle(c, name, TensorArray.class));
      c.setOutput(1, c.input(1).retain());
    };
  }

  public static void write(KernelContext c) {
    array(c).write(c.input(1).intValue(), c.input(2), c.allocator());
    c.setOutput(0, c.input(3).retain());
  }

  public static void read(KernelContext c) {
    TensorArray array = array(c);
    requireType(array, c.outputType(0));
    c.setOutput(0, array.read(c.input(1).intValue(), c.allocator()));
  }

  public static void size(KernelContext c) {
    c.setOutput(0, Tensor.scalar(array(c).size()));
  }

  public static void close(KernelContext c) {
    array(c).close();
  }

  public static Kernel gather(KernelNode node) {
    Shape given = node.attributes().shape("element_shape");
    return c -> {
      TensorArray array = array(c);
      requireType(array, c.outputType(0));
      int[] indices = vector(c.input(1));
      List<Tensor> elements = readAll(c, array, indices);
      try {
        Shape shape = commonShape(array, elements, given);
        Tensor out = c.allocateOutput(0, Shape.of(indices.length).concatenate(shape));
        long length = shape.elementCount();
        for (int i = 0; i < indices.length; i++) {
          Moves.rows(1, length, elements.get(i), 0, length, out, i * length, length);
        }
      } finally {
        elements.forEach(Tensor::close);
      }
    };
  }

  public static void scatter(KernelContext c) {
    TensorArray array = array(c);
    int[] indices = vector(c.input(1));
    Tensor value = c.input(2);
    if (value.rank() == 0) {
      throw TributaryException.invalidArgument(
          "Expected value to be at least a vector, but received shape: []");
    }
    if (value.shape().size(0) != indices.length) {
      throw TributaryException.invalidArgument(
          "Expected len(indices) == values.shape[0], but saw: %d vs. %d",
          indices.length, value.shape().size(0));
    }
    requireType(array, value.type());
    int highest = -1;
    for (int index : indices) {
      highest = Math.max(highest, index);
    }
    if (!array.reserve(highest + 1)) {
      throw TributaryException.invalidArgument(
          "Max scatter index must be < array size (%d vs. %d)", highest, array.size());
    }
    Shape shape = value.shape().slice(1, value.rank());
    for (int i = 0; i < indices.length; i++) {
      writeRows(c, array, indices[i], value, i * shape.elementCount(), shape);
    }
    c.setOutput(0, c.input(3).retain());
  }

  public static Kernel concat(KernelNode node) {
    Shape given = node.attributes().shape("element_shape_except0");
    return c -> {
      TensorArray array = array(c);
      requireType(array, c.outputType(0));
      int[] all = new int[array.size()];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      List<Tensor> elements = readAll(c, array, all);
      try {
        join(c, elements, given);
      } finally {
        elements.forEach(Tensor::close);
      }
    };
  }

  public static void split(KernelContext c) {
    TensorArray array = array(c);
    Tensor value = c.input(1);
    long[] lengths = c.input(2).toIndices();
    requireType(array, value.type());
    long total = 0;
    for (long length : lengths) {
      total += length;
    }
    if (value.rank() == 0 || total != value.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is %d and"
              + " value's shape is: %s",
          total, value.shape());
    }
    if (!array.reserve(lengths.length) || array.size() != lengths.length) {
      throw TributaryException.invalidArgument(
          "TensorArray's size is not equal to the size of lengths (%d vs. %d), and the TensorArray"
              + " is not marked as dynamically resizeable",
          array.size(), lengths.length);
    }
    Shape row = value.shape().slice(1, value.rank());
    long at = 0;
    for (int i = 0; i < lengths.length; i++) {
      writeRows(c, array, i, value, at, Shape.of(lengths[i]).concatenate(row));
      at += lengths[i] * row.elementCount();
    }
    c.setOutput(0, c.input(3).retain());
  }

  private static void join(KernelContext c, List<Tensor> elements, Shape given) {
    long rows = 0;
    Shape row = given;
    Tensor lengths = c.allocateOutput(1, Shape.of(elements.size()));
    for (int i = 0; i < elements.size(); i++) {
      Shape shape = elements.get(i).shape();
      if (shape.rank() == 0) {
        throw TributaryException.invalidArgument(
            "Concat saw a scalar shape at index %d but requires at least vectors. Did you mean to"
                + " call pack?",
            i);
      }
      Shape rest = shape.slice(1, shape.rank());
      if (!row.isCompatibleWith(rest)) {
        throw TributaryException.invalidArgument(
            "TensorArray has inconsistent shapes: index %d has (excepting dimension 0) shape %s,"
                + " wanted %s",
            i, rest, row);
      }
      row = rest;
      rows += shape.size(0);
      Memory.putLong(lengths.storage().address() + 8L * i, shape.size(0));
    }
    if (!row.isFullyDefined()) {
      throw TributaryException.unimplemented(
          "TensorArray has size zero, but element_shape_except0 %s is not fully defined", row);
    }
    Tensor out = c.allocateOutput(0, Shape.of(rows).concatenate(row));
    long at = 0;
    for (Tensor element : elements) {
      Moves.rows(1, element.elementCount(), element, 0, 0, out, at, 0);
      at += element.elementCount();
    }
  }

  private static List<Tensor> readAll(KernelContext c, TensorArray array, int[] indices) {
    List<Tensor> elements = new ArrayList<>();
    try {
      for (int index : indices) {
        elements.add(array.read(index, c.allocator()));
      }
      return elements;
    } catch (RuntimeException e) {
      elements.forEach(Tensor::close);
      throw e;
    }
  }

  private static Shape commonShape(TensorArray array, List<Tensor> elements, Shape given) {
    if (elements.isEmpty()) {
      Shape shape = given.isFullyDefined() ? given : array.elementShape();
      if (!shape.isFullyDefined()) {
        throw TributaryException.unimplemented(
            "TensorArray has size zero, but element shape %s is not fully defined. Currently only"
                + " static shapes are supported when packing zero-size TensorArrays.",
            shape);
      }
      return shape;
    }
    Shape shape = elements.get(0).shape();
    if (!given.isCompatibleWith(shape)) {
      throw TributaryException.invalidArgument(
          "elements have shape %s, the given element_shape is %s", shape, given);
    }
    for (int i = 1; i < elements.size(); i++) {
      if (!elements.get(i).shape().equals(shape)) {
        throw TributaryException.invalidArgument(
            "TensorArray has inconsistent shapes. Index 0 has shape: %s but index %d has shape: %s",
            shape, i, elements.get(i).shape());
      }
    }
    return shape;
  }

  private static void writeRows(
      KernelContext c, TensorArray array, int index, Tensor from, long offset, Shape shape) {
    try (Tensor element = c.allocate(from.type(), shape)) {
      long length = shape.elementCount();
      Moves.rows(1, length, from, offset, length, element, 0, length);
      array.write(index, element, c.allocator());
    }
  }

  private static int[] vector(Tensor indices) {
    if (indices.rank() != 1) {
      throw TributaryException.invalidArgument(
          "Expected indices to be a vector, but received shape: %s", indices.shape());
    }
    return indices.toInts();
  }

  private static TensorArray array(KernelContext c) {
    return StepResources.lookup(c, 0, TensorArray.class);
  }

  private static void requireType(TensorArray array, DataType type) {
    if (array.type() != type) {
      throw TributaryException.invalidArgument(
          "TensorArray dtype is %s but Op requested dtype %s.",
          array.type().lowerName(), type.lowerName());
    }
  }

  private static void setFlow(KernelContext c, int output) {
    c.setOutput(output, SharedTensors.zeros(c.allocator(), DataType.FLOAT, Shape.scalar()));
  }
}
