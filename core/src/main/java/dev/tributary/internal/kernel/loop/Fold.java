package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;
import java.util.EnumMap;
import java.util.Map;

/**
 * A function of two elements under which any number of them can be brought together, with its
 * neutral element: what reductions and scans are declared with. Functions must be associative and
 * commutative, as the order is not promised. Immutable; a loop is made at its first use.
 *
 * <pre>{@code
 * static final Fold SUM = Fold.of().floats(0, (x, y) -> x + y).ints(0, (x, y) -> x + y);
 * }</pre>
 */
public final class Fold {
  private static final Fold EMPTY =
      new Fold(new EnumMap<>(Carrier.class), new EnumMap<>(Carrier.class));

  private final Map<Carrier, LoopStamp<FoldTile>> stamps;

  /** Arrays of the carrier with one element. */
  private final Map<Carrier, Object> identities;

  private Fold(Map<Carrier, LoopStamp<FoldTile>> stamps, Map<Carrier, Object> identities) {
    this.stamps = stamps;
    this.identities = identities;
  }

  /** A fold with no functions yet. */
  public static Fold of() {
    return EMPTY;
  }

  public Fold floats(float identity, Scalar.FloatBinary function) {
    return with(Carrier.FLOAT, new float[] {identity}, FloatTemplates.Binary.class, function);
  }

  public Fold doubles(double identity, Scalar.DoubleBinary function) {
    return with(Carrier.DOUBLE, new double[] {identity}, DoubleTemplates.Binary.class, function);
  }

  public Fold ints(int identity, Scalar.IntBinary function) {
    return with(Carrier.INT, new int[] {identity}, IntTemplates.Binary.class, function);
  }

  public Fold longs(long identity, Scalar.LongBinary function) {
    return with(Carrier.LONG, new long[] {identity}, LongTemplates.Binary.class, function);
  }

  public Fold booleans(boolean identity, Scalar.BooleanBinary function) {
    return with(Carrier.BOOLEAN, new boolean[] {identity}, BooleanTemplates.Binary.class, function);
  }

  public Fold complexes(Complex identity, Scalar.ComplexBinary function) {
    double[] parts = {identity.re(), identity.im()};
    return with(Carrier.COMPLEX, parts, ComplexTemplates.Binary.class, function);
  }

  public boolean supports(DataType type) {
    return Loops.supports(stamps, type);
  }

  /** Fails with UNIMPLEMENTED, naming the types there are, if this is none of them. */
  public void requireSupport(DataType type) {
    Loops.requireSupport(stamps, type);
  }

  FoldTile loop(DataType type) {
    return Loops.loop(stamps, Carrier.of(type), type);
  }

  /** Puts the neutral element at the tile's start, cut to what the type can hold. */
  void loadIdentity(DataType type, Object tile) {
    Carrier carrier = Carrier.of(type);
    carrier.copy(identities.get(carrier), 0, tile, 0, 1);
    if (carrier == Carrier.INT && type != DataType.INT32) {
      int[] ints = (int[]) tile;
      int bits = 8 * type.size();
      boolean unsigned = type == DataType.UINT8 || type == DataType.UINT16;
      int least = unsigned ? 0 : -1 << bits - 1;
      ints[0] = Math.max(least, Math.min(ints[0], least + (1 << bits) - 1));
    }
    if (type == DataType.UINT32) {
      long[] longs = (long[]) tile;
      longs[0] = Math.max(0, Math.min(longs[0], 0xffff_ffffL));
    }
  }

  private Fold with(
      Carrier carrier, Object identity, Class<? extends FoldTile> template, Object function) {
    Map<Carrier, Object> more = new EnumMap<>(Carrier.class);
    more.putAll(identities);
    more.put(carrier, identity);
    return new Fold(Loops.with(stamps, carrier, new LoopStamp<>(template, function)), more);
  }
}
