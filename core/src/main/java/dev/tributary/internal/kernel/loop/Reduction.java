package dev.tributary.internal.kernel.loop;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Folds the elements of a tensor over any of its dimensions. Stateless.
 *
 * <p>The innermost kept dimension has {@code width} elements (1 if the last dimension is reduced).
 * Before it lie the rows to be folded into one. As many rows as fit are taken as one tile, and
 * tiles are folded into each other element by element, which the compiler vectorises whatever the
 * function; at the end the rows of the last tile are folded, half into half. Float sums stay exact
 * to a few units in the last place, since no chain of additions is long: see {@link Cascade}.
 */
public final class Reduction {
  /** Rows up to this length are folded one by one, many in a tile. */
  private static final int SHORT_ROW = 256;

  /** A slot that {@link Cascade} leaves free. */
  private static final int DIVISOR = Cascade.SLOTS;

  private static final BinaryLoop AVERAGE =
      BinaryLoop.of()
          .floats((sum, count) -> sum / count)
          .doubles((sum, count) -> sum / count)
          .longs((sum, count) -> count == 0 ? 0 : sum / count)
          .complexes((sum, count) -> count.isZero() ? sum : sum.scale(1 / count.re()));

  private final Fold fold;
  private final boolean averaged;
  private final DataType type;
  private final Carrier carrier;

  /**
   * The type of the computation: the type's carrier, but long for averages of integers, whose sums
   * are wide.
   */
  private final Carrier accumulator;

  private final FoldTile loop;
  private final Tiles tiles;
  private final ReductionShape shape;

  private Reduction(Fold fold, boolean averaged, DataType type, ReductionShape shape) {
    this.fold = fold;
    this.averaged = averaged;
    this.type = type;
    this.shape = shape;
    this.carrier = Carrier.of(type);
    this.accumulator = averaged && carrier == Carrier.INT ? Carrier.LONG : carrier;
    this.loop = fold.loop(accumulator == carrier ? type : accumulator.natural);
    this.tiles = Tiles.own();
  }

  /** Folds {@code in}, dense and of the shape that {@code shape} was made for, into {@code out}. */
  public static void run(Fold fold, DataType type, long in, long out, ReductionShape shape) {
    new Reduction(fold, false, type, shape).run(in, out);
  }

  /**
   * Sums likewise, and divides by the number of elements summed; the mean of none is NaN, or 0 for
   * integers and complex numbers.
   */
  public static void mean(DataType type, long in, long out, ReductionShape shape) {
    new Reduction(Folds.SUM, true, type, shape).run(in, out);
  }

  private void run(long in, long out) {
    long results = shape.result().elementCount();
    long[] sizes = shape.sizes();
    int last = sizes.length - 1;
    if (results == 0) {
      return;
    }
    if (shape.reducedCount() == 0) {
      fillIdentity(out, results);
    } else if (shape.reducedCount() == 1) {
      Memory.copy(in, out, results * type.size());
    } else if (last <= 1 && shape.isReduced(last) && sizes[last] <= SHORT_ROW) {
      foldShortRows(in, out, results, (int) sizes[last]);
    } else {
      foldTiles(in, out);
    }
  }

  private void fillIdentity(long out, long results) {
    Object tile = tiles.tile(accumulator, 0);
    fold.loadIdentity(accumulator == carrier ? type : accumulator.natural, tile);
    accumulator.spread(tile, 0, Tiles.LENGTH);
    average(tile, Tiles.LENGTH);
    for (long at = 0; at < results; at += Tiles.LENGTH) {
      store(tile, out + at * type.size(), (int) Math.min(Tiles.LENGTH, results - at));
    }
  }

  private void foldShortRows(long in, long out, long rows, int width) {
    Object tile = tiles.tile(accumulator, 0);
    int rowsInTile = Tiles.LENGTH / width;
    for (long row = 0; row < rows; row += rowsInTile) {
      int count = (int) Math.min(rowsInTile, rows - row);
      load(in + row * width * type.size(), tile, count * width);
      loop.foldRows(tile, count, width);
      average(tile, count);
      store(tile, out + row * type.size(), count);
    }
  }

  /** Goes over all outer kept dimensions and pieces of the inner one. */
  private void foldTiles(long in, long out) {
    long[] sizes = shape.sizes();
    int last = sizes.length - 1;
    long width = shape.isReduced(last) ? 1 : sizes[last];
    int rowDimension = shape.isReduced(last) ? last : last - 1;
    int piece = (int) Math.min(width, Tiles.LENGTH);
    long outerKept = shape.result().elementCount() / width;
    Cascade cascade = new Cascade(loop, accumulator, tiles);
    for (long kept = 0; kept < outerKept; kept++) {
      long start = offset(kept, rowDimension, width, false);
      for (long column = 0; column < width; column += piece) {
        int columns = (int) Math.min(piece, width - column);
        foldRows(cascade, in, start + column, rowDimension, width, columns);
        Object folded = cascade.finish(columns);
        average(folded, columns);
        store(folded, out + (kept * width + column) * type.size(), columns);
      }
    }
  }

  /** Feeds the rows under one kept position, {@code columns} of each, to the cascade. */
  private void foldRows(
      Cascade cascade, long in, long start, int rowDimension, long width, int columns) {
    long rows = shape.sizes()[rowDimension];
    int rowsInTile = columns == width ? Math.max(1, Tiles.LENGTH / columns) : 1;
    long outerReduced = shape.reducedCount() / rows;
    for (long outer = 0; outer < outerReduced; outer++) {
      long from = start + offset(outer, rowDimension, width, true);
      for (long row = 0; row < rows; row += rowsInTile) {
        int count = (int) Math.min(rowsInTile, rows - row) * columns;
        load(in + (from + row * width) * type.size(), cascade.free(), count);
        cascade.add(count);
      }
    }
  }

  private void load(long from, Object tile, int count) {
    if (carrier == accumulator) {
      carrier.load(type, from, tile, 0, count);
    } else {
      Object narrow = tiles.tile(carrier, 0);
      carrier.load(type, from, narrow, 0, count);
      Conversion.convert(carrier, narrow, accumulator, tile, count);
    }
  }

  private void store(Object tile, long to, int count) {
    if (carrier == accumulator) {
      carrier.store(type, tile, to, count);
    } else {
      Object narrow = tiles.tile(carrier, 0);
      Conversion.convert(accumulator, tile, carrier, narrow, count);
      carrier.store(type, narrow, to, count);
    }
  }

  private void average(Object tile, int count) {
    if (averaged) {
      Object divisor = tiles.tile(accumulator, DIVISOR);
      Conversion.convert(Carrier.LONG, new long[] {shape.reducedCount()}, accumulator, divisor, 1);
      accumulator.spread(divisor, 0, count);
      AVERAGE.tileLoop(accumulator).run(tile, divisor, tile, count);
    }
  }

  /**
   * Returns where the index-th combination of the outer dimensions of one kind begins, in elements.
   */
  private long offset(long index, int rowDimension, long width, boolean ofReduced) {
    long[] sizes = shape.sizes();
    long step = sizes[rowDimension] * width;
    long offset = 0;
    for (int i = rowDimension - 1; i >= 0; i--) {
      if (shape.isReduced(i) == ofReduced) {
        long above = index / sizes[i];
        offset += (index - above * sizes[i]) * step;
        index = above;
      }
      step *= sizes[i];
    }
    return offset;
  }
}
