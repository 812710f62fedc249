package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Counts how often each value appears in each row, or sums the weights of its appearances, as a
 * sparse tensor of rows and values. Confined to one call of a kernel.
 */
final class SparseCounts {
  /** The row count of a vector, whose counts have no dimension for rows. */
  static final long NO_ROWS = -1;

  /**
   * The settings that the attributes hold.
   *
   * @param minLength the least number of columns of the result; less than 1 for no such limit
   * @param maxLength the number of columns, and the first value not counted; less than 1 for none
   * @param isBinary whether each value that appears counts 1
   */
  record Options(long minLength, long maxLength, boolean isBinary) {
    static Options of(KernelNode node) {
      return new Options(
          node.attributes().integer("minlength"),
          node.attributes().integer("maxlength"),
          node.attributes().bool("binary_output"));
    }
  }

  private record Cell(long row, long value) {}

  /** The sum in one cell: whole for integers, real for others. */
  private static final class Sum {
    private long whole;
    private double real;
  }

  private static final Comparator<Cell> ORDER =
      Comparator.comparingLong(Cell::row).thenComparingLong(Cell::value);

  private final Options options;
  private final long rows;
  private final Map<Cell, Sum> sums = new HashMap<>();
  private long largest;

  SparseCounts(Options options, long rows) {
    this.options = options;
    this.rows = rows;
  }

  /** Counts all values and sets the three outputs. */
  void run(KernelContext context, Tensor values, Tensor weights, LongUnaryOperator rowOf) {
    int count = ArrayLength.of(values.elementCount());
    for (int i = 0; i < count; i++) {
      long value = IndexTensors.at(values, i);
      if (value < 0) {
        throw TributaryException.invalidArgument(
            "Input values must all be non-negative, got %d at %d", value, i);
      }
      if (options.maxLength() <= 0 || value < options.maxLength()) {
        Cell cell = new Cell(rowOf.applyAsLong(i), value);
        add(sums.computeIfAbsent(cell, key -> new Sum()), context.outputType(1), weights, i);
        largest = Math.max(largest, value);
      }
    }
    write(context);
  }

  private void add(Sum sum, DataType type, Tensor weights, int i) {
    if (options.isBinary()) {
      sum.whole = 1;
      sum.real = 1;
    } else if (weights.elementCount() == 0) {
      sum.whole++;
      sum.real++;
    } else {
      switch (type) {
        // Sums have the precision of their type, as they grow.
        case FLOAT -> sum.real = (float) sum.real + weights.getFloat(i);
        case DOUBLE -> sum.real += weights.getDouble(i);
        default -> sum.whole += IndexTensors.at(weights, i);
      }
    }
  }

  private void write(KernelContext context) {
    List<Cell> cells = new ArrayList<>(sums.keySet());
    cells.sort(ORDER);
    int columns = rows == NO_ROWS ? 1 : 2;
    long indices = context.allocateOutput(0, Shape.of(cells.size(), columns)).storage().address();
    Tensor counts = context.allocateOutput(1, Shape.of(cells.size()));
    long to = counts.storage().address();
    for (Cell cell : cells) {
      if (rows != NO_ROWS) {
        Memory.putLong(indices, cell.row());
        indices += Long.BYTES;
      }
      Memory.putLong(indices, cell.value());
      indices += Long.BYTES;
      put(counts.type(), to, sums.get(cell));
      to += counts.type().size();
    }
    long width =
        options.maxLength() > 0 ? options.maxLength() : Math.max(largest + 1, options.minLength());
    if (rows == NO_ROWS) {
      IndexTensors.setVector(context, 2, width);
    } else {
      IndexTensors.setVector(context, 2, rows, width);
    }
  }

  private static void put(DataType type, long to, Sum sum) {
    switch (type) {
      case FLOAT -> Memory.putFloat(to, (float) sum.real);
      case DOUBLE -> Memory.putDouble(to, sum.real);
      case INT32 -> Memory.putInt(to, (int) sum.whole);
      default -> Memory.putLong(to, sum.whole);
    }
  }
}
