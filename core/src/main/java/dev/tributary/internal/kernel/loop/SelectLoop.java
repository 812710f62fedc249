package dev.tributary.internal.kernel.loop;

import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;

/**
 * Takes each element from one of two operands, as a condition says, with all three broadcast.
 * Stateless.
 */
public final class SelectLoop {
  private SelectLoop() {}

  /**
   * Runs over a walk of condition, then and otherwise, in this order. Elements are moved as bits,
   * so only their size matters.
   */
  public static void run(
      DataType type, long condition, long then, long otherwise, long out, Broadcast walk) {
    DataType bits = bits(type.size());
    Carrier carrier = Carrier.of(bits);
    Tiles tiles = Tiles.own();
    TileSource conditions =
        new TileSource(DataType.BOOL, condition, walk, 0, tiles.tile(Carrier.BOOLEAN, 0));
    TileSource thens = new TileSource(bits, then, walk, 1, tiles.tile(carrier, 1));
    TileSource otherwises = new TileSource(bits, otherwise, walk, 2, tiles.tile(carrier, 2));
    Object target = tiles.tile(carrier, 3);
    long count = walk.elementCount();
    int tileLength = count == 0 ? 1 : TileSource.tileLength(walk);
    for (long at = 0; at < count; at += tileLength) {
      int length = (int) Math.min(tileLength, count - at);
      boolean[] chosen = (boolean[]) conditions.next(at, length);
      if (carrier == Carrier.INT) {
        select(
            chosen,
            (int[]) thens.next(at, length),
            (int[]) otherwises.next(at, length),
            (int[]) target,
            length);
      } else if (carrier == Carrier.COMPLEX) {
        select(
            chosen,
            (double[]) thens.next(at, length),
            (double[]) otherwises.next(at, length),
            (double[]) target,
            length);
      } else {
        select(
            chosen,
            (long[]) thens.next(at, length),
            (long[]) otherwises.next(at, length),
            (long[]) target,
            length);
      }
      carrier.store(bits, target, out + at * bits.size(), length);
    }
  }

  /** The same for strings and other objects. */
  public static void run(
      long condition, Object[] then, Object[] otherwise, Object[] out, Broadcast walk) {
    for (int at = 0; at < out.length; at++) {
      boolean chosen = Memory.getBoolean(condition + walk.offset(0, at));
      Variant.put(
          out, at, chosen ? then[(int) walk.offset(1, at)] : otherwise[(int) walk.offset(2, at)]);
    }
  }

  private static DataType bits(int size) {
    switch (size) {
      case 1:
        return DataType.INT8;
      case 2:
        return DataType.INT16;
      case 4:
        return DataType.INT32;
      case 8:
        return DataType.INT64;
      default:
        return DataType.COMPLEX128;
    }
  }

  private static void select(
      boolean[] condition, int[] then, int[] otherwise, int[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = condition[i] ? then[i] : otherwise[i];
    }
  }

  /** Selects elements of two doubles each. */
  private static void select(
      boolean[] condition, double[] then, double[] otherwise, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      double[] from = condition[i] ? then : otherwise;
      out[2 * i] = from[2 * i];
      out[2 * i + 1] = from[2 * i + 1];
    }
  }

  private static void select(
      boolean[] condition, long[] then, long[] otherwise, long[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = condition[i] ? then[i] : otherwise[i];
    }
  }
}
