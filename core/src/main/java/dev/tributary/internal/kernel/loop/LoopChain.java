package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;
import java.util.Arrays;
import java.util.List;

/**
 * Several loops over floats that are run tile by tile, so that what one hands to the next stays in
 * the nearest cache. Immutable.
 *
 * <p>Values are numbered: first the operands from outside, then the result of each link. A tile
 * holds one value and, once nobody needs that any more, a later one.
 */
public final class LoopChain {
  private static final Carrier CARRIER = Carrier.FLOAT;
  private static final ThreadLocal<float[][]> TILES = ThreadLocal.withInitial(() -> new float[0][]);

  /**
   * One loop of a chain.
   *
   * @param left the value that it is applied to, the first of two if it is binary
   * @param right the second one, or {@code left} again
   */
  public record Link(ElementLoop loop, int left, int right) {}

  private final int operands;
  private final List<Link> links;
  private final int[] results;
  private final int[] tileOf;
  private final int tiles;

  /** The result that each link stores, or -1. */
  private final int[] resultOf;

  /** The loop of each link, in one of the two. */
  private final UnaryTile[] unary;

  private final BinaryTile[] binary;

  /**
   * @param operands the number of values from outside
   * @param results the values that are stored, each made by a link
   */
  public LoopChain(int operands, List<Link> links, int... results) {
    this.operands = operands;
    this.links = List.copyOf(links);
    this.results = results.clone();
    this.tileOf = new int[operands + links.size()];
    this.resultOf = new int[links.size()];
    this.tiles = assignTiles();
    this.unary = new UnaryTile[links.size()];
    this.binary = new BinaryTile[links.size()];
    Arrays.fill(resultOf, -1);
    for (int i = 0; i < results.length; i++) {
      resultOf[results[i] - operands] = i;
    }
    for (int i = 0; i < unary.length; i++) {
      if (links.get(i).loop instanceof BinaryLoop loop) {
        binary[i] = loop.tileLoop(CARRIER);
      } else {
        unary[i] = ((UnaryLoop) links.get(i).loop).tileLoop(CARRIER);
      }
    }
  }

  public int operands() {
    return operands;
  }

  public List<Link> links() {
    return links;
  }

  /** The number of values that are stored. */
  public int resultCount() {
    return results.length;
  }

  /** The value that is stored as result {@code i}. */
  public int result(int i) {
    return results[i];
  }

  /**
   * Returns whether a result may be stored where an operand of the same sizes lies: the operand is
   * fetched before.
   */
  public boolean mayReplace(int operand, int result) {
    for (int i = 0; i <= results[result] - operands; i++) {
      if (links.get(i).left == operand || links.get(i).right == operand) {
        return true;
      }
    }
    return false;
  }

  /** The number of pieces into which a walk can be cut. */
  public static long pieces(Broadcast walk) {
    final int length = TileSource.tileLength(walk);
    return (walk.elementCount() + length - 1) / length;
  }

  /** The elements of a piece, but for the last one. */
  public static int pieceLength(Broadcast walk) {
    return TileSource.tileLength(walk);
  }

  /**
   * Runs over the pieces from {@code from} up to but without {@code to}.
   *
   * @param walk over all operands, in their order
   */
  public void run(Broadcast walk, long[] in, long[] out, long from, long to) {
    final float[][] tile = tiles();
    final TileSource[] sources = new TileSource[operands];
    final boolean[] fetched = new boolean[operands];
    for (int i = 0; i < operands; i++) {
      sources[i] = new TileSource(DataType.FLOAT, in[i], walk, i, tile[tileOf[i]]);
    }
    final int length = TileSource.tileLength(walk);
    for (long piece = from; piece < to; piece++) {
      final long at = piece * length;
      final int count = (int) Math.min(length, walk.elementCount() - at);
      Arrays.fill(fetched, false);
      for (int i = 0; i < links.size(); i++) {
        final Link link = links.get(i);
        fetch(sources, fetched, link.left, at, count);
        fetch(sources, fetched, link.right, at, count);
        final float[] left = tile[tileOf[link.left]];
        final float[] result = tile[tileOf[operands + i]];
        if (binary[i] != null) {
          binary[i].run(left, tile[tileOf[link.right]], result, count);
        } else {
          unary[i].run(left, result, count);
        }
        if (resultOf[i] >= 0) {
          CARRIER.store(DataType.FLOAT, result, out[resultOf[i]] + at * Float.BYTES, count);
        }
      }
    }
  }

  private void fetch(TileSource[] sources, boolean[] fetched, int value, long at, int count) {
    if (value < operands && !fetched[value]) {
      fetched[value] = true;
      sources[value].next(at, count);
    }
  }

  private float[][] tiles() {
    float[][] own = TILES.get();
    if (own.length < tiles) {
      own = Arrays.copyOf(own, tiles);
      for (int i = 0; i < tiles; i++) {
        own[i] = own[i] == null ? new float[Tiles.LENGTH] : own[i];
      }
      TILES.set(own);
    }
    return own;
  }

  /**
   * Gives operands a tile each, since one that does not change from tile to tile is fetched once,
   * and links those that are free.
   */
  private int assignTiles() {
    final int[] lastUse = new int[tileOf.length];
    for (int i = 0; i < links.size(); i++) {
      lastUse[links.get(i).left] = i;
      lastUse[links.get(i).right] = i;
    }
    for (int i = 0; i < operands; i++) {
      tileOf[i] = i;
    }
    int used = operands;
    for (int i = 0; i < links.size(); i++) {
      // A loop may write where it reads, so what is last needed here is free.
      final boolean[] busy = new boolean[tileOf.length];
      for (int earlier = 0; earlier < i; earlier++) {
        busy[tileOf[operands + earlier]] |= lastUse[operands + earlier] > i;
      }
      int free = operands;
      while (busy[free]) {
        free++;
      }
      tileOf[operands + i] = free;
      used = Math.max(used, free + 1);
    }
    return used;
  }
}
