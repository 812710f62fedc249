package dev.tributary.internal.kernel.data;

import static dev.tributary.internal.kernel.data.CallingKernels.AUTOTUNE;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;

/** The kernels of ops that read several datasets in turns, which a function makes. */
public final class InterleaveKernels {
  private static final int MOST_PLACES = 1 << 20;

  /** Enough that a reader is not begun for each element. */
  private static final int USUAL_WAITING = 16;

  private InterleaveKernels() {}

  /** One dataset is read at a time. */
  public static Kernel serial(KernelNode node) {
    return CallingKernels.kernel(
        node,
        "f",
        (c, first) -> {
          long cycle = DatasetKernels.scalar(c, first, "cycle_length");
          int places = places(cycle == AUTOTUNE ? CallingKernels.processors() : cycle);
          long block = block(c, first + 1);
          return (context, input, function) ->
              new InterleaveIterator(context, input.iterator(context), function, places, block);
        });
  }

  /** The last input is the number of datasets that are read at the same time. */
  public static Kernel parallel(KernelNode node) {
    boolean hasBuffers = node.op().endsWith("V4");
    boolean isOrdered = isOrdered(node);
    return CallingKernels.kernel(
        node,
        "f",
        (c, first) -> {
          long calls = DatasetKernels.scalar(c, c.inputCount() - 1, "num_parallel_calls");
          if (calls < 1 && calls != AUTOTUNE) {
            throw TributaryException.invalidArgument("`num_parallel_calls` must be > 0");
          }
          int cycle = parallelPlaces(DatasetKernels.scalar(c, first, "cycle_length"), calls);
          return pass(
              new ParallelInterleaveIterator.Settings(
                  cycle,
                  block(c, first + 1),
                  calls == AUTOTUNE ? cycle : (int) calls,
                  hasBuffers ? waiting(c, first + 2) : USUAL_WAITING,
                  hasBuffers ? ahead(c, first + 3, cycle) : cycle,
                  isOrdered));
        });
  }

  /** The form of TensorFlow 1, which reads all that have turns and those that will next. */
  public static Kernel legacy(KernelNode node) {
    boolean saysOrder = node.attributes().has("deterministic");
    return CallingKernels.kernel(
        node,
        "f",
        (c, first) -> {
          int buffers = saysOrder ? first + 2 : first + 3;
          int cycle = places(DatasetKernels.scalar(c, first, "cycle_length"));
          int ahead = ahead(c, buffers + 1, cycle);
          boolean isOrdered =
              saysOrder ? isOrdered(node) : !DatasetKernels.truth(c, first + 2, "sloppy");
          return pass(
              new ParallelInterleaveIterator.Settings(
                  cycle,
                  block(c, first + 1),
                  cycle + ahead,
                  waiting(c, buffers),
                  ahead,
                  isOrdered));
        });
  }

  private static CallingKernels.Pass pass(ParallelInterleaveIterator.Settings settings) {
    return (context, input, function) ->
        new ParallelInterleaveIterator(context, input, function, settings);
  }

  private static boolean isOrdered(KernelNode node) {
    return node.attributes().has("sloppy")
        ? !node.attributes().bool("sloppy")
        : !node.attributes().string("deterministic").equals("false");
  }

  private static long block(KernelContext c, int at) {
    long block = DatasetKernels.scalar(c, at, "block_length");
    if (block <= 0) {
      throw TributaryException.invalidArgument("`block_length` must be > 0");
    }
    return block;
  }

  private static int parallelPlaces(long asked, long calls) {
    int processors = CallingKernels.processors();
    long chosen = calls == AUTOTUNE ? (processors + 2) / 3 : Math.min(calls, processors);
    long cycle = asked == AUTOTUNE ? chosen : asked;
    if (calls > cycle) {
      throw TributaryException.invalidArgument(
          "num_parallel_calls must less than or equal to cycle_length: %d > %d", calls, cycle);
    }
    return places(cycle);
  }

  private static int places(long cycle) {
    if (cycle <= 0 || cycle > MOST_PLACES) {
      throw TributaryException.invalidArgument(
          "`cycle_length` must be > 0 and at most %d, got %d", MOST_PLACES, cycle);
    }
    return (int) cycle;
  }

  private static int waiting(KernelContext c, int at) {
    long elements = DatasetKernels.scalar(c, at, "buffer_output_elements");
    if (elements < 1 && elements != AUTOTUNE) {
      throw TributaryException.invalidArgument(
          "`buffer_output_elements` must be %d or > 0 but is %d", AUTOTUNE, elements);
    }
    return elements == AUTOTUNE ? USUAL_WAITING : (int) Math.min(Integer.MAX_VALUE, elements);
  }

  private static int ahead(KernelContext c, int at, int cycle) {
    long datasets = DatasetKernels.scalar(c, at, "prefetch_input_elements");
    if (datasets < 0 && datasets != AUTOTUNE) {
      throw TributaryException.invalidArgument(
          "`prefetch_input_elements` must be %d or >= 0 but is %d", AUTOTUNE, datasets);
    }
    return datasets == AUTOTUNE ? cycle : (int) Math.min(MOST_PLACES, datasets);
  }
}
