package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Gives each row at least one value: inputs are indices (a matrix whose first column is the row, or
 * a vector of rows), values, the number of rows at the front of the third, and the default value.
 * Values of one row stay in their order, rows are put in order.
 */
public final class RowFilling {
  private RowFilling() {}

  /**
   * @param rowsAt which element of the third input is the number of rows
   */
  public static void fill(KernelContext context, int rowsAt) {
    Tensor indices = context.input(0);
    Tensor values = context.input(1);
    int rows = ArrayLength.of(requireCount(context.input(2).getIndex(rowsAt)));
    int count = ArrayLength.of(values.elementCount());
    long columns = indices.rank() == 1 ? 1 : indices.shape().size(1);
    if (columns == 0) {
      throw TributaryException.invalidArgument("indices must have a column for the row");
    }
    if (rows == 0 && count > 0) {
      throw TributaryException.invalidArgument(
          "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = %d", count);
    }
    int[] starts = starts(indices, columns, rows, count);
    long empty = context.allocateOutput(2, Shape.of(rows)).storage().address();
    Shape shape = Shape.of(starts[rows]);
    Tensor filled =
        context.allocateOutput(
            0, indices.rank() == 1 ? shape : shape.concatenate(Shape.of(columns)));
    Tensor filledValues = context.allocateOutput(1, shape);
    long map = context.allocateOutput(3, Shape.of(count)).storage().address();
    RowMove index = new RowMove(indices, filled, columns);
    RowMove value = new RowMove(values, filledValues, 1);
    int[] next = starts.clone();
    for (int i = 0; i < count; i++) {
      int to = next[(int) indices.getLong(i * columns)]++;
      index.move(i, to);
      value.move(i, to);
      Memory.putLong(map + 8L * i, to);
    }
    RowMove fallback = new RowMove(context.input(3), filledValues, 1);
    for (int row = 0; row < rows; row++) {
      boolean isEmpty = next[row] == starts[row];
      Memory.putBoolean(empty + row, isEmpty);
      if (isEmpty) {
        long at = filled.storage().address() + 8L * starts[row] * columns;
        Memory.fill(at, 8 * columns, (byte) 0);
        Memory.putLong(at, row);
        fallback.move(0, starts[row]);
      }
    }
  }

  private static long requireCount(long rows) {
    if (rows < 0) {
      throw TributaryException.invalidArgument("the number of rows must be >= 0, got %d", rows);
    }
    return rows;
  }

  /** The start of each row in the result, and the end of the last one. */
  private static int[] starts(Tensor indices, long columns, int rows, int count) {
    int[] starts = new int[ArrayLength.of(rows + 1L)];
    for (int i = 0; i < count; i++) {
      long row = indices.getLong(i * columns);
      if (row < 0 || row >= rows) {
        throw TributaryException.invalidArgument(
            "indices(%d, 0) is invalid: %d >= %d", i, row, rows);
      }
      starts[(int) row + 1]++;
    }
    long end = 0;
    for (int row = 1; row <= rows; row++) {
      end += Math.max(1, starts[row]);
      starts[row] = ArrayLength.of(end);
    }
    return starts;
  }
}
