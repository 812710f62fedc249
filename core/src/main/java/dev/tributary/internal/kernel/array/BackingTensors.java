package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Kernels of ops that put several values into one tensor and take them out again. Stock TensorFlow
 * lets the values be made in that tensor, each in a region that begins at a multiple of 64 bytes;
 * these copy them to the same places.
 */
public final class BackingTensors {
  private static final long ALIGNMENT = 64;

  private BackingTensors() {}

  /** A tensor of the shape that attribute {@code shape} gives. */
  public static Kernel zeros(KernelNode node) {
    Shape shape = node.attributes().shape("shape");
    DataType type = node.outputTypes().get(0);
    if (!shape.isFullyDefined()) {
      throw TributaryException.invalidArgument("shape must be known, got %s", shape);
    }
    return context -> context.setOutput(0, Tensor.zeros(context.allocator(), type, shape));
  }

  /** The first input with the elements of the others, one after the other. */
  public static Kernel join(KernelNode node) {
    boolean reshaped = node.attributes().bool("reshape");
    Shape wanted = node.attributes().shape("shape");
    return context -> {
      Tensor backing = context.input(0);
      Shape shape = reshaped ? wanted : backing.shape();
      if (!shape.isFullyDefined() || shape.elementCount() != backing.elementCount()) {
        throw TributaryException.invalidArgument(
            "the backing tensor of shape %s cannot have shape %s", backing.shape(), shape);
      }
      Tensor output = Tensor.zeros(context.allocator(), backing.type(), shape);
      context.setOutput(0, output);
      long at = 0;
      for (int i = 1; i < context.inputCount(); i++) {
        Tensor input = context.input(i);
        requireRoom(backing, at, input.elementCount());
        Moves.run(input, 0, output, at, input.elementCount());
        at = next(input.type(), at, input.elementCount());
      }
    };
  }

  /** Parts of the first input, of the shapes that attribute {@code shapes} gives. */
  public static Kernel split(KernelNode node) {
    List<Shape> shapes = node.attributes().shapes("shapes");
    if (shapes.size() != node.outputTypes().size()) {
      throw TributaryException.invalidArgument(
          "shapes must have one shape for each of %d outputs, got %s",
          node.outputTypes().size(), shapes);
    }
    return context -> split(context, shapes);
  }

  private static void split(KernelContext context, List<Shape> shapes) {
    Tensor backing = context.input(0);
    long at = 0;
    for (int i = 0; i < shapes.size(); i++) {
      long count = shapes.get(i).elementCount();
      requireRoom(backing, at, count);
      Tensor output = context.allocateOutput(i, shapes.get(i));
      Moves.run(backing, at, output, 0, count);
      at = next(backing.type(), at, count);
    }
  }

  private static long next(DataType type, long at, long count) {
    long size = type.size();
    long end = (at + count) * size;
    long aligned = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return ALIGNMENT % size == 0 ? aligned / size : at + count;
  }

  private static void requireRoom(Tensor backing, long at, long count) {
    if (count < 0 || at + count > backing.elementCount()) {
      throw TributaryException.invalidArgument(
          "elements %d to %d are outside of the backing tensor of shape %s",
          at, at + count, backing.shape());
    }
  }
}
