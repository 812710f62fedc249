package dev.tributary.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.loop.BinaryLoop;
import dev.tributary.kernel.loop.Broadcast;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernel of ScatterNd: rows are added into zeros, where an index vector may occur several times. */
public final class Scattering {
  /** Booleans add up by "or", strings by concatenation. */
  private static final BinaryLoop ADD =
      BinaryLoop.of()
          .floats((x, y) -> x + y)
          .doubles((x, y) -> x + y)
          .ints((x, y) -> x + y)
          .longs((x, y) -> x + y)
          .booleans((x, y) -> x | y);

  private Scattering() {}

  public static void requireType(DataType type) {
    if (type != DataType.STRING && !ADD.supports(type)) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers, bool, string", type.lowerName());
    }
  }

  /**
   * @param ignoreBad whether an index out of range is passed over rather than failing
   */
  public static void scatterNd(KernelContext context, boolean ignoreBad) {
    Tensor indices = context.input(0);
    Tensor updates = context.input(1);
    IndexTensors.vector(context.input(2), "shape");
    Shape shape = Shape.of(IndexTensors.all(context.input(2)));
    boolean nothing = indices.elementCount() == 0 && updates.elementCount() == 0;
    if (shape.elementCount() == 0 && !nothing) {
      throw TributaryException.invalidArgument("Indices and updates specified for empty output shape %s", shape);
    }
    Shape wanted = Gathering.gatheredNd(shape, indices.shape());
    if (!updates.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "updates must have shape %s for indices of shape %s and an output of shape %s, got %s",
          wanted, indices.shape(), shape, updates.shape());
    }
    Tensor output = context.allocateOutput(0, shape);
    Fill.zeros(output);
    if (updates.elementCount() > 0) {
      add(new NdIndices(indices, shape), updates, output, ignoreBad);
    }
  }

  private static void add(NdIndices rows, Tensor updates, Tensor output, boolean ignoreBad) {
    DataType type = output.type();
    long length = rows.rowLength();
    long bytes = length * type.size();
    Broadcast row = Broadcast.of(Shape.of(length), Shape.of(length));
    for (long i = 0; i < rows.count(); i++) {
      long at = rows.row(i);
      if (at < 0 && ignoreBad) {
        continue;
      }
      if (at < 0) {
        throw rows.bad(i, "shape");
      }
      if (type.isObject()) {
        append(updates.objects(), (int) (i * length), output.objects(), (int) (at * length), (int) length);
      } else {
        long target = output.address() + at * bytes;
        ADD.run(type, target, updates.address() + i * bytes, target, row);
      }
    }
  }

  private static void append(Object[] from, int fromAt, Object[] to, int toAt, int count) {
    for (int i = 0; i < count; i++) {
      byte[] head = (byte[]) to[toAt + i];
      byte[] tail = (byte[]) from[fromAt + i];
      byte[] both = Arrays.copyOf(head, head.length + tail.length);
      System.arraycopy(tail, 0, both, head.length, tail.length);
      to[toAt + i] = both;
    }
  }
}
