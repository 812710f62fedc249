package dev.tributary.internal.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Changes rows of a variable: {@code variable[indices[i], ...] = f(variable[indices[i], ...],
 * updates[i, ...])}. A row named twice is changed twice, one after the other. Different rows are
 * changed side by side if there are many. A scalar {@code updates} serves all rows. Nothing changes
 * if an index is bad.
 */
public final class ScatterRows implements Kernel {
  /** The update of a row; addresses are those of its first element and of the updates'. */
  @FunctionalInterface
  private interface RowChange {
    void apply(long row, long update);
  }

  /** 2^64 divided by the golden ratio: its multiples lie evenly modulo 2^64. */
  private static final long SPREADING = 0x9E3779B97F4A7C15L;

  private final VariableInput input;
  private final DataType type;
  private final BinaryLoop loop;

  private ScatterRows(VariableInput input, DataType type, BinaryLoop loop) {
    this.input = input;
    this.type = type;
    this.loop = loop;
  }

  /** A kernel that combines rows by an element-wise function. */
  public static Kernel combining(KernelNode node, VariableInput input, BinaryLoop loop) {
    DataType type = node.inputTypes().get(2);
    if (!loop.supports(type)) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: the numeric types", type.lowerName());
    }
    return new ScatterRows(input, type, loop);
  }

  /** A kernel that overwrites rows, of any type. */
  public static Kernel replacing(KernelNode node, VariableInput input) {
    return new ScatterRows(input, node.inputTypes().get(2), null);
  }

  @Override
  public void compute(KernelContext context) {
    VariableResource variable = input.variable(context, 0, type);
    Tensor indices = context.input(1);
    Tensor updates = context.input(2);
    try (VariableResource.Locked locked = VariableResource.lock(variable)) {
      Shape shape = locked.value(variable).shape();
      requireShapes(shape, indices.shape(), updates.shape());
      RowIndices.requireInRange(indices, shape.size(0));
      if (indices.elementCount() > 0) {
        Tensor target = locked.writable(variable, context.allocator());
        scatter(context.device().backend().parallel(), target, indices, updates);
      }
    }
    input.passOn(context, variable);
  }

  private void scatter(ParallelFor parallel, Tensor target, Tensor indices, Tensor updates) {
    Shape row = target.shape().slice(1, target.rank());
    boolean oneForAll = updates.rank() == 0;
    if (type.isObject()) {
      replaceObjects(target, indices, updates, (int) row.elementCount(), oneForAll);
      return;
    }
    RowChange change = loop == null ? replacement(row, oneForAll) : combination(row, oneForAll);
    long rowBytes = row.elementCount() * type.size();
    long stride = oneForAll ? 0 : rowBytes;
    int shares = shares(parallel, indices.elementCount(), rowBytes);
    try {
      parallel.run(
          shares,
          share ->
              ScatteredRows.visit(
                  0,
                  indices.elementCount(),
                  rowBytes,
                  (first, rows, count) -> {
                    RowIndices.read(indices, first, rows, count);
                    for (int i = 0; i < count; i++) {
                      boolean isOurs = shares == 1 || share == shareOf(rows[i], shares);
                      rows[i] =
                          isOurs
                              ? target.storage().address() + rows[i] * rowBytes
                              : ScatteredRows.NONE;
                    }
                  },
                  (first, rows, count) -> {
                    long update = updates.storage().address() + first * stride;
                    for (int i = 0; i < count; i++) {
                      if (rows[i] != ScatteredRows.NONE) {
                        change.apply(rows[i], update + i * stride);
                      }
                    }
                  }));
    } catch (ArithmeticException e) {
      throw TributaryException.invalidArgument("Integer division by zero");
    }
  }

  private static int shares(ParallelFor parallel, long rows, long rowBytes) {
    return (int)
        Math.max(1, Math.min(rows / RowIndices.rowsWorthSharing(rowBytes), parallel.threads()));
  }

  /**
   * All changes of a row are of one share, so that they happen in their order. By a product, as
   * each thread asks for each row and a remainder takes a division.
   */
  private static int shareOf(long index, int shares) {
    return (int) ((index * SPREADING >>> Integer.SIZE) * shares >>> Integer.SIZE);
  }

  private RowChange combination(Shape row, boolean oneForAll) {
    BinaryLoop.Placed placed =
        loop.placed(type, Broadcast.of(row, oneForAll ? Shape.scalar() : row));
    return (target, update) -> placed.run(target, update, target);
  }

  private RowChange replacement(Shape row, boolean oneForAll) {
    long count = oneForAll ? row.elementCount() : 1;
    long bytes = oneForAll ? type.size() : row.elementCount() * type.size();
    return (target, update) -> {
      for (long i = 0; i < count; i++) {
        Memory.copy(update, target + i * bytes, bytes);
      }
    };
  }

  private static void replaceObjects(
      Tensor target, Tensor indices, Tensor updates, int length, boolean oneForAll) {
    Object[] to = target.objects();
    Object[] from = updates.objects();
    for (int i = 0; i < indices.elementCount(); i++) {
      int at = (int) indices.getIndex(i) * length;
      for (int k = 0; k < length; k++) {
        Variant.put(to, at + k, from[oneForAll ? 0 : i * length + k]);
      }
    }
  }

  private static void requireShapes(Shape variable, Shape indices, Shape updates) {
    if (variable.rank() < 1) {
      throw TributaryException.invalidArgument(
          "the variable must have rank 1 or more, got shape %s", variable);
    }
    if (!updates.isScalar()
        && !updates.equals(indices.concatenate(variable.slice(1, variable.rank())))) {
      throw TributaryException.invalidArgument(
          "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got"
              + " updates.shape %s, indices.shape %s, params.shape %s",
          updates, indices, variable);
    }
  }
}
