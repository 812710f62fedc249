package dev.tributary.kernel.loop;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;

/**
 * Turns elements of one type into another, for all types but strings and other objects. Stateless.
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
