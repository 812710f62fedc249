package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;
import java.util.EnumMap;
import java.util.Map;

/**
 * Applies a function to each element: {@code out[i] = f(in[i])}. Declared once per op with a
 * function for each carrier it knows, which also serve the narrow types (float16 and bfloat16 by
 * {@code floats}; uint8, int8 and int16 by {@code ints}; complex64 by {@code complexes}).
 * Immutable; a loop is made at its first use.
 *
 * <pre>{@code
 * static final UnaryLoop SQUARE = UnaryLoop.of().floats(x -> x * x).doubles(x -> x * x).ints(x -> x * x);
 * SQUARE.run(DataType.FLOAT, in.address(), out.address(), in.elementCount());
 * }</pre>
 */
public final class UnaryLoop implements ElementLoop {
  private static final UnaryLoop EMPTY = new UnaryLoop(new EnumMap<>(Carrier.class), false);

  private final Map<Carrier, LoopStamp<UnaryTile>> stamps;
  private final boolean toBoolean;

  private UnaryLoop(Map<Carrier, LoopStamp<UnaryTile>> stamps, boolean toBoolean) {
    this.stamps = stamps;
    this.toBoolean = toBoolean;
  }

  /** A loop with no functions yet. */
  public static UnaryLoop of() {
    return EMPTY;
  }

  public UnaryLoop floats(Scalar.FloatUnary function) {
    return with(Carrier.FLOAT, FloatTemplates.Unary.class, function, false);
  }

  public UnaryLoop floats(FloatSigmoid function) {
    return new UnaryLoop(Loops.with(stamps, Carrier.FLOAT, LoopStamp.written(function)), false);
  }

  public UnaryLoop doubles(Scalar.DoubleUnary function) {
    return with(Carrier.DOUBLE, DoubleTemplates.Unary.class, function, false);
  }

  public UnaryLoop ints(Scalar.IntUnary function) {
    return with(Carrier.INT, IntTemplates.Unary.class, function, false);
  }

  public UnaryLoop longs(Scalar.LongUnary function) {
    return with(Carrier.LONG, LongTemplates.Unary.class, function, false);
  }

  public UnaryLoop booleans(Scalar.BooleanUnary function) {
    return with(Carrier.BOOLEAN, BooleanTemplates.Unary.class, function, false);
  }

  public UnaryLoop complexes(Scalar.ComplexUnary function) {
    return with(Carrier.COMPLEX, ComplexTemplates.Unary.class, function, false);
  }

  /** A question about each float; the results are bool. */
  public UnaryLoop testFloats(Scalar.FloatTest function) {
    return with(Carrier.FLOAT, FloatTemplates.Test.class, function, true);
  }

  /** A question about each double; the results are bool. */
  public UnaryLoop testDoubles(Scalar.DoubleTest function) {
    return with(Carrier.DOUBLE, DoubleTemplates.Test.class, function, true);
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
   * Runs over dense memory; {@code out} may be {@code in} unless results are bool and elements are
   * not.
   */
  public void run(DataType type, long in, long out, long count) {
    Carrier carrier = Carrier.of(type);
    UnaryTile loop = Loops.loop(stamps, carrier, type);
    if (type == carrier.natural && count <= Tiles.DIRECT_LIMIT) {
      loop.direct(in, out, (int) count);
      return;
    }
    DataType resultType = resultType(type);
    Carrier results = Carrier.of(resultType);
    Tiles tiles = Tiles.own();
    Object source = tiles.tile(carrier, 0);
    Object target = tiles.tile(results, 1);
    for (long at = 0; at < count; at += Tiles.LENGTH) {
      int length = (int) Math.min(Tiles.LENGTH, count - at);
      carrier.load(type, in + at * type.size(), source, 0, length);
      loop.run(source, target, length);
      results.store(resultType, target, out + at * resultType.size(), length);
    }
  }

  /** The stamped loop over tiles of this carrier. */
  UnaryTile tileLoop(Carrier carrier) {
    return Loops.loop(stamps, carrier, carrier.natural);
  }

  private UnaryLoop with(
      Carrier carrier, Class<? extends UnaryTile> template, Object function, boolean test) {
    return new UnaryLoop(Loops.with(stamps, carrier, new LoopStamp<>(template, function)), test);
  }
}
