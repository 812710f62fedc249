package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/**
 * Changes the rows of a tensor that index vectors name: the kernels of ScatterNd and TensorScatter,
 * and the heart of those that change variables. A row named twice is changed twice, one after the
 * other. Immutable.
 */
public final class Scattering {
  private static final BinaryLoop ADD =
      BinaryLoop.of()
          .floats((x, y) -> x + y)
          .doubles((x, y) -> x + y)
          .ints((x, y) -> x + y)
          .longs((x, y) -> x + y)
          .booleans((x, y) -> x | y)
          .complexes(Complex::plus);

  private final Optional<BinaryLoop> function;
  private final boolean ignoreBad;

  private Scattering(Optional<BinaryLoop> function, boolean ignoreBad) {
    this.function = function;
    this.ignoreBad = ignoreBad;
  }

  /**
   * The change of rows that a node makes.
   *
   * @param function combines a row with its update; if empty, the update replaces the row
   */
  public static Scattering of(KernelNode node, Optional<BinaryLoop> function) {
    if (function.isPresent()) {
      function.get().requireSupport(node.type());
    }
    return new Scattering(function, ignoresBadIndices(node.attributes()));
  }

  /** Adds updates; strings are appended, and the sum of booleans is "or". */
  public static Scattering adding(KernelNode node) {
    if (node.type() != DataType.STRING) {
      ADD.requireSupport(node.type());
    }
    return new Scattering(Optional.of(ADD), ignoresBadIndices(node.attributes()));
  }

  /** ScatterNd: updates are added into zeros. */
  public static Kernel intoZeros(KernelNode node) {
    Scattering scattering = adding(node);
    return context -> {
      IndexTensors.vector(context.input(2), "shape");
      Shape shape = Shape.of(IndexTensors.all(context.input(2)));
      scattering.requireShapes(shape, context.input(0), context.input(1));
      Tensor output = context.allocateOutput(0, shape);
      Fill.zeros(output);
      scattering.change(output, context.input(0), context.input(1));
    };
  }

  /** Inputs: a tensor, of which the output is a changed copy, index vectors, updates. */
  public void copy(KernelContext context) {
    Tensor tensor = context.input(0);
    requireShapes(tensor.shape(), context.input(1), context.input(2));
    Tensor output = context.forwardOrAllocate(0, 0, tensor.shape());
    if (!output.sharesStorageWith(tensor)) {
      Moves.rows(1, tensor.elementCount(), tensor, 0, 0, output, 0, 0);
    }
    change(output, context.input(1), context.input(2));
  }

  /** Fails unless there is a row of updates for each index vector. */
  public void requireShapes(Shape shape, Tensor indices, Tensor updates) {
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
    Shape wanted = Gathering.gatheredNd(shape, view(indices));
    if (!updates.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "updates must have shape %s for indices of shape %s and an output of shape %s, got %s",
          wanted, indices.shape(), shape, updates.shape());
    }
  }

  /** As in TensorFlow, the elements of a vector are index vectors of one element each. */
  private static Shape view(Tensor indices) {
    return indices.rank() == 1 ? indices.shape().concatenate(Shape.of(1)) : indices.shape();
  }

  /** Fails if an index is out of range, unless such are to be ignored. */
  public void requireInRange(Shape shape, Tensor indices) {
    NdIndices rows = new NdIndices(indices, view(indices), shape);
    for (long i = 0; !ignoreBad && i < rows.count(); i++) {
      row(rows, i);
    }
  }

  /** Changes a tensor, of which nobody else knows. */
  public void change(Tensor target, Tensor indices, Tensor updates) {
    if (updates.elementCount() == 0) {
      return;
    }
    NdIndices rows = new NdIndices(indices, view(indices), target.shape());
    RowChange change = rowChange(target, updates, rows.rowLength());
    for (long i = 0; i < rows.count(); i++) {
      long row = row(rows, i);
      if (row >= 0) {
        change.apply(row, i);
      }
    }
  }

  private long row(NdIndices rows, long i) {
    long row = rows.row(i);
    if (row < 0 && !ignoreBad) {
      throw rows.bad(i, "shape");
    }
    return row;
  }

  /** The change of a row by one of the updates. */
  @FunctionalInterface
  private interface RowChange {
    void apply(long row, long update);
  }

  private RowChange rowChange(Tensor target, Tensor updates, long length) {
    DataType type = target.type();
    if (type.isObject()) {
      int count = (int) length;
      return (row, update) ->
          changeObjects(
              updates.objects(), (int) update * count, target.objects(), (int) row * count, count);
    }
    long bytes = length * type.size();
    long to = target.storage().address();
    long from = updates.storage().address();
    if (function.isEmpty()) {
      return (row, update) -> Memory.copy(from + update * bytes, to + row * bytes, bytes);
    }
    BinaryLoop.Placed placed =
        function.get().placed(type, Broadcast.of(Shape.of(length), Shape.of(length)));
    return (row, update) -> placed.run(to + row * bytes, from + update * bytes, to + row * bytes);
  }

  private void changeObjects(Object[] from, int fromAt, Object[] to, int toAt, int count) {
    if (function.isEmpty()) {
      System.arraycopy(from, fromAt, to, toAt, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      byte[] head = (byte[]) to[toAt + i];
      byte[] tail = (byte[]) from[fromAt + i];
      byte[] both = Arrays.copyOf(head, head.length + tail.length);
      System.arraycopy(tail, 0, both, head.length, tail.length);
      to[toAt + i] = both;
    }
  }

  /** Reads attribute {@code bad_indices_policy}. */
  public static boolean ignoresBadIndices(Attributes attributes) {
    String policy = attributes.string("bad_indices_policy");
    switch (policy) {
      case "":
      case "DEFAULT":
      case "ERROR":
        return false;
      case "IGNORE":
        return true;
      default:
        throw TributaryException.invalidArgument(
            "Unknown bad_indices_policy '%s'; DEFAULT, ERROR, IGNORE are known", policy);
    }
  }
}
