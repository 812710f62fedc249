package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;

/**
 * One operand of a broadcast walk, delivered tile by tile in the result's order. Confined to one
 * loop.
 *
 * <p>What does not change from tile to tile (a single element, or a short row repeated for all
 * rows) is loaded once. That needs tiles to begin where rows begin: see {@link #tileLength}.
 */
final class TileSource {
  private final Carrier carrier;
  private final DataType type;
  private final long address;
  private final long[] sizes;
  private final long[] strides;
  private final long rowLength;
  private final boolean dense;
  private final boolean periodic;
  private final Object tile;
  private final long[] coordinates;
  private boolean loaded;

  TileSource(DataType type, long address, Broadcast walk, int operand, Object tile) {
    this.carrier = Carrier.of(type);
    this.type = type;
    this.address = address;
    this.sizes = walk.sizes();
    this.strides = walk.strides(operand);
    this.tile = tile;
    this.coordinates = new long[sizes.length];
    int rank = sizes.length;
    this.rowLength = sizes[rank - 1];
    boolean shortRow = rowLength <= Tiles.LENGTH / 2;
    this.dense = rank == 1 && strides[0] == 1;
    this.periodic = rank == 1 ? strides[0] == 0 : rank == 2 && strides[0] == 0 && shortRow;
  }

  /** Returns how many elements the tiles of a walk hold: whole rows, if these are short. */
  static int tileLength(Broadcast walk) {
    long[] sizes = walk.sizes();
    long row = sizes[sizes.length - 1];
    return row > Tiles.LENGTH ? Tiles.LENGTH : (int) (Tiles.LENGTH / row * row);
  }

  /** The tile with the elements from {@code position} on. */
  Object next(long position, int count) {
    if (dense) {
      carrier.load(type, address + position * type.size(), tile, 0, count);
    } else if (!periodic) {
      loadRows(position, count);
    } else if (!loaded) {
      loadPeriods(count);
      loaded = true;
    }
    return tile;
  }

  private void loadPeriods(int count) {
    int period = sizes.length == 1 ? 1 : (int) rowLength;
    loadRun(address, 0, period);
    for (int have = period; have < count; ) {
      int more = Math.min(have, count - have);
      carrier.copy(tile, 0, tile, have, more);
      have += more;
    }
  }

  private void loadRows(long position, int count) {
    long row = position / rowLength;
    long column = position - row * rowLength;
    long offset = seek(row);
    for (int at = 0; at < count; ) {
      int run = (int) Math.min(rowLength - column, count - at);
      loadRun(address + (offset + column * strides[strides.length - 1]) * type.size(), at, run);
      at += run;
      column = 0;
      offset = nextRow(offset);
    }
  }

  private void loadRun(long from, int at, int run) {
    if (strides[sizes.length - 1] == 0) {
      carrier.load(type, from, tile, at, 1);
      carrier.spread(tile, at, run);
    } else {
      carrier.load(type, from, tile, at, run);
    }
  }

  /** Sets the outer coordinates to those of a row, and returns its first element's index. */
  private long seek(long row) {
    long offset = 0;
    for (int i = sizes.length - 2; i >= 0; i--) {
      long above = row / sizes[i];
      coordinates[i] = row - above * sizes[i];
      offset += coordinates[i] * strides[i];
      row = above;
    }
    return offset;
  }

  /** Moves on without divisions, which cost more than short rows do. */
  private long nextRow(long offset) {
    for (int i = sizes.length - 2; i >= 0; i--) {
      offset += strides[i];
      if (++coordinates[i] < sizes[i]) {
        break;
      }
      offset -= sizes[i] * strides[i];
      coordinates[i] = 0;
    }
    return offset;
  }
}
