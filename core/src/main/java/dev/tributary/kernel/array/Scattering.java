package dev.tributary.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The kernel of ScatterNd: rows are added into zeros, those with the same index vector too. Strings
 * are appended.
 */
public final class Scattering {
  private Scattering() {}

  public static void requireType(DataType type) {
    if (type != DataType.STRING) {
      RowSum.requireType(type);
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
    if (updates.rank() < 1) {
      throw TributaryException.invalidArgument(
          "Updates shape must have rank at least one. Found: %s", updates.shape());
    }
    boolean nothing = indices.elementCount() == 0 && updates.elementCount() == 0;
    boolean all =
        indices.elementCount() > 0 && updates.elementCount() > 0 && shape.elementCount() > 0;
    if (!nothing && !all) {
      throw TributaryException.invalidArgument(
          "Indices of shape %s and updates of shape %s specified for output shape %s: all or none"
              + " must be empty",
          indices.shape(), updates.shape(), shape);
    }
    // As in TensorFlow, the elements of a vector are index vectors of one element each.
    Shape view = indices.rank() == 1 ? indices.shape().concatenate(Shape.of(1)) : indices.shape();
    Shape wanted = Gathering.gatheredNd(shape, view);
    if (!updates.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "updates must have shape %s for indices of shape %s and an output of shape %s, got %s",
          wanted, indices.shape(), shape, updates.shape());
    }
    Tensor output = context.allocateOutput(0, shape);
    Fill.zeros(output);
    if (updates.elementCount() > 0) {
      add(new NdIndices(indices, view, shape), updates, output, ignoreBad);
    }
  }

  private static void add(NdIndices rows, Tensor updates, Tensor output, boolean ignoreBad) {
    DataType type = output.type();
    long length = rows.rowLength();
    RowSum sum = new RowSum(type, length);
    for (long i = 0; i < rows.count(); i++) {
      long at = rows.row(i);
      if (at < 0 && ignoreBad) {
        continue;
      }
      if (at < 0) {
        throw rows.bad(i, "shape");
      }
      if (type.isObject()) {
        append(
            updates.objects(),
            (int) (i * length),
            output.objects(),
            (int) (at * length),
            (int) length);
      } else {
        sum.add(updates.address(), i, output.address(), at);
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
