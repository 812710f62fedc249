package dev.tributary.internal.kernel.onednn;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;

/**
 * The activations that oneDNN must not compute behind a product: its larger of NaN and 0 is 0,
 * which would hide that a training has diverged. They are a pass of their own, in place, over what
 * was just written.
 */
final class Clipping {
  /** The number of elements that one thread clips in 20 to 30 us, the time to wake a second one. */
  private static final long GRAIN = 1 << 17;

  private static final UnaryLoop RELU = UnaryLoop.of().floats(x -> Math.max(x, 0f));
  private static final UnaryLoop RELU6 = UnaryLoop.of().floats(x -> Math.min(Math.max(x, 0f), 6f));

  private Clipping() {}

  /** The part of an epilogue that is left to oneDNN. */
  static Epilogue before(Epilogue epilogue) {
    return clips(epilogue.activation()) ? new Epilogue(epilogue.bias(), Activation.NONE) : epilogue;
  }

  /** Does to {@code count} floats what {@link #before} left out. */
  static void run(ParallelFor parallel, Epilogue epilogue, long address, long count) {
    if (!clips(epilogue.activation())) {
      return;
    }
    final UnaryLoop loop = epilogue.activation() == Activation.RELU ? RELU : RELU6;
    parallel.range(
        count,
        GRAIN,
        (from, to) -> {
          final long start = address + from * Float.BYTES;
          loop.run(DataType.FLOAT, start, start, to - from);
        });
  }

  private static boolean clips(Activation activation) {
    return activation == Activation.RELU || activation == Activation.RELU6;
  }
}
