package dev.tributary.internal.kernel.onednn;

import java.util.Optional;
import org.bytedeco.dnnl.global.dnnl;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of threads that oneDNN uses. Its OpenMP runtime keeps this number for each thread that
 * calls it, and each such thread has helpers of its own; so {@link #use} is called before each
 * entry, and does something only when the number differs from the last one on that thread. Where
 * the runtime's function cannot be called, {@code OMP_NUM_THREADS} decides, and a warning says so.
 *
 * <p>Threads that wait for each other spin before they sleep, by GNU's default for some
 * milliseconds. As soon as anything else wants a core (a compiler thread of the JVM, a second
 * task), a spinning thread then keeps the one it waits for from running until its time slice ends,
 * and a product of half a millisecond takes eight. So a program can {@linkplain SpinLimit limit}
 * spinning to what bridges the gap between two nodes of a step.
 */
final class OmpThreads {
  /**
   * Some 75 us on an AMD EPYC. See docs/design/0009-native-threads.md for what other values did to
   * a training.
   */
  private static final String SPINNING = "GOMP_SPINCOUNT=5000";

  private static final Logger LOG = LoggerFactory.getLogger(OmpThreads.class);
  private static final ThreadLocal<int[]> CURRENT = ThreadLocal.withInitial(() -> new int[1]);

  /** Never freed: the environment keeps it. */
  private static final BytePointer SETTING = new BytePointer(SPINNING);

  private static final Optional<NativeFunction> SET_NUM_THREADS = setter();

  private OmpThreads() {}

  /** Makes oneDNN use this many threads for calls of the current thread; 1 is inline. */
  static void use(int threads) {
    final int[] current = CURRENT.get();
    if (current[0] != threads) {
      SET_NUM_THREADS.ifPresent(function -> function.call(threads));
      current[0] = threads;
    }
  }

  /** Has this class initialised, before anything else loads oneDNN. */
  static void load() {}

  /** Loads the library; its OpenMP runtime reads the environment at that moment. */
  private static Optional<NativeFunction> setter() {
    if (SpinLimit.isWanted()) {
      NativeFunction.find("putenv").ifPresent(function -> function.call(SETTING.address()));
    }
    Loader.load(dnnl.class);
    final Optional<NativeFunction> found = NativeFunction.find("omp_set_num_threads");
    if (found.isEmpty()) {
      LOG.warn("oneDNN's number of threads cannot be set: OMP_NUM_THREADS decides");
    }
    return found;
  }
}
