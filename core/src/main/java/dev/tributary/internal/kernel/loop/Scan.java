package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;

/** Running folds along an axis, such as cumulative sums. Stateless; the output may be the input. */
public final class Scan {
  private final FoldTile loop;
  private final Fold fold;
  private final DataType type;
  private final Carrier carrier;
  private final Tiles tiles = Tiles.own();
  private final boolean exclusive;
  private final boolean reverse;

  private Scan(Fold fold, DataType type, boolean exclusive, boolean reverse) {
    this.loop = fold.loop(type);
    this.fold = fold;
    this.type = type;
    this.carrier = Carrier.of(type);
    this.exclusive = exclusive;
    this.reverse = reverse;
  }

  /**
   * Replaces each element by the fold of all before it along the axis and, unless {@code
   * exclusive}, itself; {@code reverse} begins at the end.
   */
  public static void run(
      Fold fold,
      DataType type,
      long in,
      long out,
      AxisWalk walk,
      boolean exclusive,
      boolean reverse) {
    Scan scan = new Scan(fold, type, exclusive, reverse);
    long bytes = walk.length() * walk.inner() * type.size();
    for (long outer = 0; outer < walk.outer(); outer++) {
      if (walk.inner() == 1) {
        scan.alongRow(in + outer * bytes, out + outer * bytes, walk.length());
      } else {
        scan.alongColumns(in + outer * bytes, out + outer * bytes, walk.length(), walk.inner());
      }
    }
  }

  private void alongRow(long in, long out, long length) {
    Object tile = tiles.tile(carrier, 0);
    Object carry = tiles.tile(carrier, 1);
    fold.loadIdentity(type, carry);
    for (long done = 0; done < length; done += Tiles.LENGTH) {
      int count = (int) Math.min(Tiles.LENGTH, length - done);
      long at = (reverse ? length - done - count : done) * type.size();
      carrier.load(type, in + at, tile, 0, count);
      loop.scan(tile, count, exclusive, reverse, carry);
      carrier.store(type, tile, out + at, count);
    }
  }

  private void alongColumns(long in, long out, long length, long inner) {
    for (long column = 0; column < inner; column += Tiles.LENGTH) {
      int columns = (int) Math.min(Tiles.LENGTH, inner - column);
      Object row = tiles.tile(carrier, 0);
      Object running = tiles.tile(carrier, 1);
      fold.loadIdentity(type, running);
      carrier.spread(running, 0, columns);
      for (long i = 0; i < length; i++) {
        long at = ((reverse ? length - 1 - i : i) * inner + column) * type.size();
        carrier.load(type, in + at, row, 0, columns);
        if (exclusive) {
          carrier.store(type, running, out + at, columns);
        }
        loop.run(running, row, running, columns);
        if (!exclusive) {
          carrier.store(type, running, out + at, columns);
        }
      }
    }
  }
}
