package dev.tributary.internal.kernel.loop;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.util.Arrays;

/**
 * Finds where the greatest or least element lies along an axis; of equal ones the first counts, and
 * NaN is passed over. Stateless.
 *
 * <p>Elements of all types are compared as longs of the same order, so that one loop serves them
 * all.
 */
public final class ArgReduction {
  private static final long NOT_A_NUMBER = Long.MIN_VALUE;

  private final DataType type;
  private final Carrier carrier;
  private final boolean least;
  private final DataType indexType;
  private final Tiles tiles = Tiles.own();
  private final long[] keys = (long[]) tiles.tile(Carrier.LONG, 0);
  private final long[] best = (long[]) tiles.tile(Carrier.LONG, 1);
  private final long[] indices = (long[]) tiles.tile(Carrier.LONG, 2);

  private ArgReduction(DataType type, boolean least, DataType indexType) {
    this.type = type;
    this.carrier = Carrier.of(type);
    this.least = least;
    this.indexType = indexType;
  }

  public static void greatest(DataType type, long in, DataType indexType, long out, AxisWalk walk) {
    new ArgReduction(type, false, indexType).run(in, out, walk);
  }

  public static void least(DataType type, long in, DataType indexType, long out, AxisWalk walk) {
    new ArgReduction(type, true, indexType).run(in, out, walk);
  }

  private void run(long in, long out, AxisWalk walk) {
    if (walk.length() == 0 && walk.outer() * walk.inner() > 0) {
      throw TributaryException.invalidArgument(
          "Reduction axis is empty: there is no element to point at");
    }
    if (walk.inner() == 1 && walk.length() <= Tiles.LENGTH) {
      alongShortRows(in, out, walk.outer(), (int) walk.length());
      return;
    }
    for (long outer = 0; outer < walk.outer(); outer++) {
      long from = in + outer * walk.length() * walk.inner() * type.size();
      if (walk.inner() == 1) {
        indices[0] = alongRow(from, walk.length());
        CastLoop.store(Carrier.LONG, indices, indexType, out + outer * indexType.size(), 1);
      } else {
        alongColumns(from, out + outer * walk.inner() * indexType.size(), walk);
      }
    }
  }

  /** Many rows in a tile. */
  private void alongShortRows(long in, long out, long rows, int length) {
    int rowsInTile = Tiles.LENGTH / Math.max(1, length);
    for (long row = 0; row < rows; row += rowsInTile) {
      int count = (int) Math.min(rowsInTile, rows - row);
      loadKeys(in + row * length * type.size(), count * length);
      for (int i = 0; i < count; i++) {
        indices[i] = greatestKey(i * length, length);
      }
      CastLoop.store(Carrier.LONG, indices, indexType, out + row * indexType.size(), count);
    }
  }

  private int greatestKey(int from, int count) {
    int at = from;
    for (int i = from + 1; i < from + count; i++) {
      at = keys[i] > keys[at] ? i : at;
    }
    return at - from;
  }

  private long alongRow(long in, long length) {
    long greatest = NOT_A_NUMBER;
    long index = 0;
    for (long at = 0; at < length; at += Tiles.LENGTH) {
      int count = (int) Math.min(Tiles.LENGTH, length - at);
      loadKeys(in + at * type.size(), count);
      int here = greatestKey(0, count);
      if (keys[here] > greatest) {
        greatest = keys[here];
        index = at + here;
      }
    }
    return index;
  }

  private void alongColumns(long in, long out, AxisWalk walk) {
    for (long column = 0; column < walk.inner(); column += Tiles.LENGTH) {
      int columns = (int) Math.min(Tiles.LENGTH, walk.inner() - column);
      Arrays.fill(best, 0, columns, NOT_A_NUMBER);
      Arrays.fill(indices, 0, columns, 0);
      for (long row = 0; row < walk.length(); row++) {
        loadKeys(in + (row * walk.inner() + column) * type.size(), columns);
        for (int i = 0; i < columns; i++) {
          indices[i] = keys[i] > best[i] ? row : indices[i];
          best[i] = Math.max(best[i], keys[i]);
        }
      }
      CastLoop.store(Carrier.LONG, indices, indexType, out + column * indexType.size(), columns);
    }
  }

  /**
   * Loads elements as longs which are greater where the elements are, or less if the least one is
   * sought.
   */
  private void loadKeys(long from, int count) {
    Object tile = carrier == Carrier.LONG ? keys : tiles.tile(carrier, 3);
    carrier.load(type, from, tile, 0, count);
    if (carrier == Carrier.FLOAT || carrier == Carrier.DOUBLE) {
      double[] values = (double[]) tiles.tile(Carrier.DOUBLE, 4);
      Conversion.convert(carrier, tile, Carrier.DOUBLE, values, count);
      for (int i = 0; i < count; i++) {
        keys[i] = key(least ? -values[i] : values[i]);
      }
      return;
    }
    if (tile != keys) {
      Conversion.convert(carrier, tile, Carrier.LONG, keys, count);
    }
    for (int i = 0; least && i < count; i++) {
      keys[i] = ~keys[i];
    }
  }

  private static long key(double value) {
    if (value != value) {
      return NOT_A_NUMBER;
    }
    long bits = Double.doubleToRawLongBits(value + 0.0); // -0.0 becomes 0.0, its equal
    return bits ^ bits >> 63 & Long.MAX_VALUE;
  }
}
