package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/** Adds rows of a fixed length to other rows. Booleans add up by "or". Immutable. */
public final class RowSum {
  private static final BinaryLoop ADD =
      BinaryLoop.of()
          .floats((x, y) -> x + y)
          .doubles((x, y) -> x + y)
          .ints((x, y) -> x + y)
          .longs((x, y) -> x + y)
          .booleans((x, y) -> x | y)
          .complexes(Complex::plus);

  private final DataType type;
  private final long bytes;
  private final Broadcast row;

  public RowSum(DataType type, long length) {
    this.type = type;
    this.bytes = length * type.size();
    this.row = Broadcast.of(Shape.of(length), Shape.of(length));
  }

  /** Fails unless rows of this type can be added up. */
  static void requireType(DataType type) {
    if (!ADD.supports(type)) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers", type.lowerName());
    }
  }

  /**
   * Adds row number {@code sourceRow} from one address on to row number {@code targetRow} from
   * another on.
   */
  public void add(long source, long sourceRow, long target, long targetRow) {
    long sum = target + targetRow * bytes;
    ADD.run(type, sum, source + sourceRow * bytes, sum, row);
  }
}
