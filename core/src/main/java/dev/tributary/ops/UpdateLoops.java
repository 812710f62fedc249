package dev.tributary.ops;

import dev.tributary.kernel.loop.BinaryLoop;

/** The element-wise functions by which ops change variables. */
final class UpdateLoops {
  static final BinaryLoop ADD =
      BinaryLoop.of()
          .floats((x, y) -> x + y)
          .doubles((x, y) -> x + y)
          .ints((x, y) -> x + y)
          .longs((x, y) -> x + y);
  static final BinaryLoop SUBTRACT =
      BinaryLoop.of()
          .floats((x, y) -> x - y)
          .doubles((x, y) -> x - y)
          .ints((x, y) -> x - y)
          .longs((x, y) -> x - y);
  static final BinaryLoop MULTIPLY =
      BinaryLoop.of()
          .floats((x, y) -> x * y)
          .doubles((x, y) -> x * y)
          .ints((x, y) -> x * y)
          .longs((x, y) -> x * y);
  static final BinaryLoop DIVIDE =
      BinaryLoop.of()
          .floats((x, y) -> x / y)
          .doubles((x, y) -> x / y)
          .ints((x, y) -> x / y)
          .longs((x, y) -> x / y);
  static final BinaryLoop MINIMUM =
      BinaryLoop.of().floats(Math::min).doubles(Math::min).ints(Math::min).longs(Math::min);
  static final BinaryLoop MAXIMUM =
      BinaryLoop.of().floats(Math::max).doubles(Math::max).ints(Math::max).longs(Math::max);

  private UpdateLoops() {}
}
