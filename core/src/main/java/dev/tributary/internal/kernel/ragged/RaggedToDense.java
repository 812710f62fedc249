package dev.tributary.internal.kernel.ragged;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Makes a dense tensor of a ragged one: rows that are too short are filled up with a default value,
 * rows that are too long for the wanted shape are cut off.
 *
 * <p>Inputs are the wanted shape, the values, the default, and a row partition for each ragged
 * dimension: {@code ROW_SPLITS}, or {@code VALUE_ROWIDS} behind a {@code FIRST_DIM_SIZE}. From the
 * first dimension to the last, each item gets the number of the place that it has in the result, or
 * none if it is cut off.
 */
public final class RaggedToDense implements Kernel {
  /** The places that the items of one dimension have in the result. */
  private interface Places {
    long count();

    /** The place of item {@code i}, or {@link #CUT_OFF}. */
    long of(long i);
  }

  private static final int FIRST_PARTITION = 3;
  private static final long CUT_OFF = -1;

  private final boolean countFirst;
  private final boolean[] bySplits;
  private final int raggedRank;

  public RaggedToDense(KernelNode node) {
    List<String> types = node.attributes().strings("row_partition_types");
    requireTypes(types);
    countFirst = types.get(0).equals("FIRST_DIM_SIZE");
    raggedRank = raggedRank(types);
    bySplits = new boolean[raggedRank];
    for (int d = 0; d < raggedRank; d++) {
      String type = types.get(countFirst ? d + 1 : d);
      bySplits[d] = type.equals("ROW_SPLITS");
      if (!bySplits[d] && !(type.equals("VALUE_ROWIDS") && (d > 0 || countFirst))) {
        throw TributaryException.invalidArgument("Cannot handle partition type %s here", type);
      }
    }
  }

  private static void requireTypes(List<String> types) {
    if (types.isEmpty()) {
      throw TributaryException.invalidArgument("No row_partition_types given.");
    }
  }

  /** The number of ragged dimensions behind the first one. */
  public static int raggedRank(List<String> types) {
    requireTypes(types);
    return types.get(0).equals("FIRST_DIM_SIZE") ? types.size() - 1 : types.size();
  }

  /** Merges the wanted shape and that of the values into the result's. */
  public static Shape shape(int raggedRank, Shape wanted, Shape values) {
    if (!values.hasRank()) {
      return wanted;
    }
    if (values.rank() == 0) {
      throw TributaryException.invalidArgument("values must have rank 1 or more, got a scalar");
    }
    Shape open = Shape.ofRank(raggedRank + 1).concatenate(values.slice(1, values.rank()));
    if (!wanted.hasRank()) {
      return open;
    }
    if (!open.isCompatibleWith(wanted)) {
      throw TributaryException.invalidArgument(
          "the wanted shape %s does not fit values of shape %s with %d ragged dimensions",
          wanted, values, raggedRank);
    }
    return open.merge(wanted);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor values = context.input(1);
    Shape shape = shape(raggedRank, wanted(context.input(0)), values.shape());
    long first = firstSize(context.input(FIRST_PARTITION));
    shape = shape.size(0) == Shape.UNKNOWN ? shape.withSize(0, first) : shape;
    for (int d = 1; d <= raggedRank; d++) {
      if (shape.size(d) == Shape.UNKNOWN) {
        shape = shape.withSize(d, width(context, d - 1));
      }
    }
    Shape row = shape.slice(raggedRank + 1, shape.rank());
    Tensor result = context.allocateOutput(0, shape);
    fill(result, context.input(2), row);
    Places places = new FirstPlaces(first, shape.size(0));
    for (int d = 0; d < raggedRank; d++) {
      Tensor partition = partition(context, d);
      places =
          bySplits[d]
              ? new PlacesBySplits(RowPartition.ofSplits(partition), places, shape.size(d + 1))
              : PlacesByRow.of(partition, places, shape.size(d + 1));
    }
    if (places.count() != values.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "the row partitions have %d items, values have %d rows",
          places.count(), values.shape().size(0));
    }
    RowMove move = new RowMove(values, result, row.elementCount());
    for (long i = 0; i < places.count(); i++) {
      long place = places.of(i);
      if (place != CUT_OFF) {
        move.move(i, place);
      }
    }
  }

  private static Shape wanted(Tensor sizes) {
    if (sizes.rank() == 0 && sizes.getIndex(0) == -1) {
      return Shape.unknown();
    }
    if (sizes.rank() != 1) {
      throw TributaryException.invalidArgument(
          "shape must be a vector, or the scalar -1 for an unknown shape, got shape %s",
          sizes.shape());
    }
    return Shape.of(sizes.toIndices());
  }

  private Tensor partition(KernelContext context, int dimension) {
    return context.input(FIRST_PARTITION + dimension + (countFirst ? 1 : 0));
  }

  private long firstSize(Tensor partition) {
    if (partition.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "Invalid first partition input. Tensor requires at least one element.");
    }
    if (!countFirst) {
      return RowPartition.ofSplits(partition).rows();
    }
    IndexTensors.requireScalar(partition, "the size of the first dimension");
    long size = partition.getIndex(0);
    if (size < 0) {
      throw TributaryException.invalidArgument(
          "the size of the first dimension must be >= 0, got %d", size);
    }
    return size;
  }

  /** The most items that a row of a dimension has. */
  private long width(KernelContext context, int dimension) {
    Tensor partition = partition(context, dimension);
    if (bySplits[dimension]) {
      return RowPartition.ofSplits(partition).width();
    }
    long[] rows = IndexTensors.vector(partition, "value_rowids");
    long width = 0;
    for (int i = 0, start = 0; i < rows.length; i++) {
      start = rows[i] == rows[start] ? start : i;
      width = Math.max(width, i + 1 - start);
    }
    return width;
  }

  private record FirstPlaces(long count, long size) implements Places {
    @Override
    public long of(long i) {
      return i < size ? i : CUT_OFF;
    }
  }

  private record PlacesBySplits(RowPartition partition, Places parents, long size)
      implements Places {
    PlacesBySplits {
      if (partition.rows() > parents.count()) {
        throw TributaryException.invalidArgument(
            "Row partition size is greater than output size: %d > %d",
            partition.rows(), parents.count());
      }
    }

    @Override
    public long count() {
      return partition.items();
    }

    @Override
    public long of(long i) {
      int row = partition.rowOf(i);
      return within(parents.of(row), i - partition.start(row), size);
    }
  }

  private record PlacesByRow(long[] rows, long[] columns, Places parents, long size)
      implements Places {
    static PlacesByRow of(Tensor partition, Places parents, long size) {
      long[] rows = IndexTensors.vector(partition, "value_rowids");
      long[] columns = new long[rows.length];
      for (int i = 0; i < rows.length; i++) {
        if (rows[i] < 0 || rows[i] >= parents.count()) {
          throw TributaryException.invalidArgument(
              "Got value_rowid=%d which is not in [0, %d)", rows[i], parents.count());
        }
        columns[i] = i > 0 && rows[i] == rows[i - 1] ? columns[i - 1] + 1 : 0;
      }
      return new PlacesByRow(rows, columns, parents, size);
    }

    @Override
    public long count() {
      return rows.length;
    }

    @Override
    public long of(long i) {
      return within(parents.of(rows[(int) i]), columns[(int) i], size);
    }
  }

  /** The place of a column of a row, if neither is cut off. */
  private static long within(long row, long column, long size) {
    return row == CUT_OFF || column >= size ? CUT_OFF : row * size + column;
  }

  /** Sets all rows to the default, which is broadcast to a row. */
  private static void fill(Tensor result, Tensor fallback, Shape row) {
    Shape from = fallback.shape();
    if (from.rank() > row.rank() || !Broadcast.shape(from, row).equals(row)) {
      throw TributaryException.invalidArgument(
          "default_value of shape %s does not fit values of shape %s", from, row);
    }
    if (result.elementCount() == 0) {
      return;
    }
    long[] steps = Broadcast.repeatedStrides(from, row.toArray());
    long[] strides = row.strides();
    long length = row.elementCount();
    RowMove move = new RowMove(fallback, result, 1);
    for (long i = 0; i < length; i++) {
      long source = 0;
      for (int d = 0; d < steps.length; d++) {
        source += i / strides[d] % row.size(d) * steps[d];
      }
      move.move(source, i);
    }
    RowMove repeat = new RowMove(result, result, length);
    for (long i = 1; i < result.elementCount() / length; i++) {
      repeat.move(0, i);
    }
  }
}
