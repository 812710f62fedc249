package dev.tributary.internal.kernel.onednn;

import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The way into oneDNN: on how many threads, and with what is prepared for shapes. {@link
 * NativeThreads} has a call wait while all cores compute. Thread-safe.
 */
final class NativeCalls {
  /** Enough for all shapes of some large models. */
  private static final int PROGRAMS = 1024;

  private final int threads;
  private final ProgramCache programs = new ProgramCache(PROGRAMS);

  /** Calls on so many threads, or on as many as there are cores. */
  NativeCalls(int wantedThreads) {
    threads = NativeThreads.OF_PROCESS.granted(wantedThreads);
  }

  /**
   * Runs a program, which is made first if there is none: the work is cut for threads then. False
   * where oneDNN has nothing for it.
   */
  boolean run(ProgramCache.Recipe recipe, long... addresses) {
    return admitted(() -> programs.run(recipe, addresses));
  }

  /** The bytes of a tensor of a recipe's program; empty where oneDNN has nothing for it. */
  OptionalLong bytes(ProgramCache.Recipe recipe, int tensor) {
    return admitted(() -> programs.bytes(recipe, tensor));
  }

  /** Runs something that needs no program. */
  void run(Runnable call) {
    admitted(
        () -> {
          call.run();
          return true;
        });
  }

  private <T> T admitted(Supplier<T> call) {
    NativeThreads.OF_PROCESS.take(threads);
    try {
      OmpThreads.use(threads);
      return call.get();
    } finally {
      NativeThreads.OF_PROCESS.give(threads);
    }
  }
}
