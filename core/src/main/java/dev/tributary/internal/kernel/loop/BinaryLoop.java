package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;
import java.util.EnumMap;
import java.util.Map;

/**
 * Applies a function to pairs of elements, with broadcasting: {@code out[i] = f(left[i],
 * right[i])}. Declared once per op with a function for each carrier it knows, as {@link UnaryLoop}
 * is. Immutable; a loop is made at its first use.
 */
public final class BinaryLoop implements ElementLoop {
  private static final BinaryLoop EMPTY = new BinaryLoop(new EnumMap<>(Carrier.class), false);

  private final Map<Carrier, LoopStamp<BinaryTile>> stamps;
  private final boolean toBoolean;

  private BinaryLoop(Map<Carrier, LoopStamp<BinaryTile>> stamps, boolean toBoolean) {
    this.stamps = stamps;
    this.toBoolean = toBoolean;
  }

  /** A loop with no functions yet. */
  public static BinaryLoop of() {
    return EMPTY;
  }

  public BinaryLoop floats(Scalar.FloatBinary function) {
    return with(Carrier.FLOAT, FloatTemplates.Binary.class, function, false);
  }

  public BinaryLoop doubles(Scalar.DoubleBinary function) {
    return with(Carrier.DOUBLE, DoubleTemplates.Binary.class, function, false);
  }

  public BinaryLoop ints(Scalar.IntBinary function) {
    return with(Carrier.INT, IntTemplates.Binary.class, function, false);
  }

  public BinaryLoop longs(Scalar.LongBinary function) {
    return with(Carrier.LONG, LongTemplates.Binary.class, function, false);
  }

  public BinaryLoop complexes(Scalar.ComplexBinary function) {
    return with(Carrier.COMPLEX, ComplexTemplates.Binary.class, function, false);
  }

  /** A function of booleans, whether it is meant as logic or as comparison. */
  public BinaryLoop booleans(Scalar.BooleanBinary function) {
    return with(Carrier.BOOLEAN, BooleanTemplates.Binary.class, function, toBoolean);
  }

  public BinaryLoop compareFloats(Scalar.FloatComparison function) {
    return with(Carrier.FLOAT, FloatTemplates.Comparison.class, function, true);
  }

  public BinaryLoop compareDoubles(Scalar.DoubleComparison function) {
    return with(Carrier.DOUBLE, DoubleTemplates.Comparison.class, function, true);
  }

  public BinaryLoop compareInts(Scalar.IntComparison function) {
    return with(Carrier.INT, IntTemplates.Comparison.class, function, true);
  }

  public BinaryLoop compareLongs(Scalar.LongComparison function) {
    return with(Carrier.LONG, LongTemplates.Comparison.class, function, true);
  }

  public BinaryLoop compareComplexes(Scalar.ComplexComparison function) {
    return with(Carrier.COMPLEX, ComplexTemplates.Comparison.class, function, true);
  }

  @Override
  public boolean supports(DataType type) {
    return Loops.supports(stamps, type);
  }

  /** Fails with UNIMPLEMENTED, naming the types there are, if this is none of them. */
  public void requireSupport(DataType type) {
    Loops.requireSupport(stamps, type);
  }

  @Override
  public DataType resultType(DataType type) {
    return toBoolean ? DataType.BOOL : type;
  }

  /**
   * Runs over dense operands of {@code walk}'s shapes. {@code out} may be an operand which has the
   * result's shape and type.
   */
  public void run(DataType type, long left, long right, long out, Broadcast walk) {
    BinaryTile loop = Loops.loop(stamps, Carrier.of(type), type);
    if (isDirect(type, walk)) {
      runDirect(loop, type, left, right, out, walk);
    } else if (walk.elementCount() > 0) {
      runTiles(loop, type, left, right, out, walk);
    }
  }

  /** The loop over operands of one type and of one walk's shapes, wherever they are. */
  @FunctionalInterface
  public interface Placed {
    /** {@code out} may be an operand which has the result's shape and type. */
    void run(long left, long right, long out);
  }

  /** For callers that run it at many places, with few elements each. */
  public Placed placed(DataType type, Broadcast walk) {
    BinaryTile loop = Loops.loop(stamps, Carrier.of(type), type);
    return isDirect(type, walk)
        ? (left, right, out) -> runDirect(loop, type, left, right, out, walk)
        : (left, right, out) -> run(type, left, right, out, walk);
  }

  /**
   * Runs over the elements from {@code from} up to but without {@code to} of a {@linkplain
   * Broadcast#isFlat flat} walk; the addresses are those of the whole operands.
   */
  public void run(
      DataType type, long left, long right, long out, Broadcast walk, long from, long to) {
    int size = type.size();
    run(
        type,
        left + from * walk.strides(0)[0] * size,
        right + from * walk.strides(1)[0] * size,
        out + from * resultType(type).size(),
        walk.cut(to - from));
  }

  /** The stamped loop over tiles of this carrier. */
  BinaryTile tileLoop(Carrier carrier) {
    return Loops.loop(stamps, carrier, carrier.natural);
  }

  /** Returns whether there are so few elements that fetching tiles would cost more. */
  private static boolean isDirect(DataType type, Broadcast walk) {
    return type == Carrier.of(type).natural
        && walk.elementCount() <= Tiles.DIRECT_LIMIT
        && walk.sizes().length == 1;
  }

  private static void runDirect(
      BinaryTile loop, DataType type, long left, long right, long out, Broadcast walk) {
    int size = type.size();
    loop.direct(
        left,
        walk.strides(0)[0] * size,
        right,
        walk.strides(1)[0] * size,
        out,
        (int) walk.elementCount());
  }

  private void runTiles(
      BinaryTile loop, DataType type, long left, long right, long out, Broadcast walk) {
    DataType resultType = resultType(type);
    Carrier carrier = Carrier.of(type);
    Carrier results = Carrier.of(resultType);
    Tiles tiles = Tiles.own();
    TileSource leftSource = new TileSource(type, left, walk, 0, tiles.tile(carrier, 0));
    TileSource rightSource = new TileSource(type, right, walk, 1, tiles.tile(carrier, 1));
    Object target = tiles.tile(results, 2);
    long count = walk.elementCount();
    int tileLength = TileSource.tileLength(walk);
    for (long at = 0; at < count; at += tileLength) {
      int length = (int) Math.min(tileLength, count - at);
      loop.run(leftSource.next(at, length), rightSource.next(at, length), target, length);
      results.store(resultType, target, out + at * resultType.size(), length);
    }
  }

  private BinaryLoop with(
      Carrier carrier, Class<? extends BinaryTile> template, Object function, boolean comparison) {
    return new BinaryLoop(
        Loops.with(stamps, carrier, new LoopStamp<>(template, function)), comparison);
  }
}
