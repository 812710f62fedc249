package dev.tributary.internal.kernel.loop;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * Turns elements of one type into another, for all types but quantised ones, strings and other
 * objects. Stateless.
 */
public final class CastLoop {
  private CastLoop() {}

  /**
   * Converts {@code count} dense elements; see {@link Conversion} for what happens to values that
   * do not fit.
   */
  public static void run(DataType from, long in, DataType to, long out, long count) {
    if (from == to) {
      Memory.copy(in, out, count * from.size());
      return;
    }
    if (from == DataType.UINT64 || to == DataType.UINT64) {
      runUnsigned(from, in, to, out, count);
      return;
    }
    Carrier source = Carrier.of(from);
    Carrier target = Carrier.of(to);
    Tiles tiles = Tiles.own();
    Object read = tiles.tile(source, 0);
    Object written = source == target ? read : tiles.tile(target, 1);
    for (long at = 0; at < count; at += Tiles.LENGTH) {
      int length = (int) Math.min(Tiles.LENGTH, count - at);
      source.load(from, in + at * from.size(), read, 0, length);
      if (source != target) {
        Conversion.convert(source, read, target, written, length);
      }
      target.store(to, written, out + at * to.size(), length);
    }
  }

  /** Returns whether there is a cast between a type and others. */
  public static boolean supports(DataType type) {
    return Carrier.isOf(type) || type == DataType.UINT64;
  }

  /** Only real numbers see that the highest bit of an uint64 is no sign. */
  private static void runUnsigned(DataType from, long in, DataType to, long out, long count) {
    if (from.isFloating() || from.isComplex()) {
      RealElements elements = RealElements.of(from.realType());
      for (long i = 0; i < count; i++) {
        Memory.putLong(out + 8 * i, toUnsigned(elements.get(in + i * from.size())));
      }
    } else if (to.isFloating() || to.isComplex()) {
      RealElements elements = RealElements.of(to.realType());
      for (long i = 0; i < count; i++) {
        long value = Memory.getLong(in + 8 * i);
        // Half of it, with the bit that is lost kept for rounding.
        long half = value >>> 1 | value & 1;
        boolean wide = to.realType() == DataType.DOUBLE;
        double real =
            value >= 0 ? (wide ? value : (float) value) : 2 * (wide ? half : (float) half);
        elements.put(out + i * to.size(), real);
        if (to.isComplex()) {
          elements.put(out + i * to.size() + elements.size(), 0);
        }
      }
    } else {
      run(
          from == DataType.UINT64 ? DataType.INT64 : from,
          in,
          to == DataType.UINT64 ? DataType.INT64 : to,
          out,
          count);
    }
  }

  private static long toUnsigned(double value) {
    return value < 0x1p63 ? Conversion.toLong(value) : (long) (value - 0x1p63) ^ Long.MIN_VALUE;
  }

  /** Stores a tile of one carrier as a type which may have another. */
  static void store(Carrier carrier, Object tile, DataType type, long to, int count) {
    Carrier target = Carrier.of(type);
    Object converted = tile;
    if (carrier != target) {
      converted = Tiles.own().tile(target, Tiles.CONVERSION);
      Conversion.convert(carrier, tile, target, converted, count);
    }
    target.store(type, converted, to, count);
  }
}
