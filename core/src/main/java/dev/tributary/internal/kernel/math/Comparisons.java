package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Complex;

/** The questions about two elements, and logic. */
public final class Comparisons {
  public static final BinaryLoop EQUAL =
      BinaryLoop.of()
          .compareFloats((x, y) -> x == y)
          .compareDoubles((x, y) -> x == y)
          .compareInts((x, y) -> x == y)
          .compareLongs((x, y) -> x == y)
          .booleans((x, y) -> x == y)
          .compareComplexes(Complex::isSame);

  public static final BinaryLoop NOT_EQUAL =
      BinaryLoop.of()
          .compareFloats((x, y) -> x != y)
          .compareDoubles((x, y) -> x != y)
          .compareInts((x, y) -> x != y)
          .compareLongs((x, y) -> x != y)
          .booleans((x, y) -> x != y)
          .compareComplexes((x, y) -> !x.isSame(y));

  public static final BinaryLoop LESS =
      BinaryLoop.of()
          .compareFloats((x, y) -> x < y)
          .compareDoubles((x, y) -> x < y)
          .compareInts((x, y) -> x < y)
          .compareLongs((x, y) -> x < y);

  public static final BinaryLoop LESS_EQUAL =
      BinaryLoop.of()
          .compareFloats((x, y) -> x <= y)
          .compareDoubles((x, y) -> x <= y)
          .compareInts((x, y) -> x <= y)
          .compareLongs((x, y) -> x <= y);

  public static final BinaryLoop GREATER =
      BinaryLoop.of()
          .compareFloats((x, y) -> x > y)
          .compareDoubles((x, y) -> x > y)
          .compareInts((x, y) -> x > y)
          .compareLongs((x, y) -> x > y);

  public static final BinaryLoop GREATER_EQUAL =
      BinaryLoop.of()
          .compareFloats((x, y) -> x >= y)
          .compareDoubles((x, y) -> x >= y)
          .compareInts((x, y) -> x >= y)
          .compareLongs((x, y) -> x >= y);

  public static final BinaryLoop AND = BinaryLoop.of().booleans((x, y) -> x & y);

  public static final BinaryLoop OR = BinaryLoop.of().booleans((x, y) -> x | y);

  private Comparisons() {}
}
