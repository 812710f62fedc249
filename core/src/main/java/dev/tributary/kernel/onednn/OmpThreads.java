package dev.tributary.kernel.onednn;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.bytedeco.dnnl.global.dnnl;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of threads that oneDNN uses. Its OpenMP runtime keeps this number for each thread that
 * calls it, and each such thread has helpers of its own; so {@link #use} is called before each
 * entry, and does something only when the number differs from the last one on that thread.
 *
 * <p>The library's Java API has no call for it. JavaCPP's native deallocators can call any C
 * function of one word by its address, which is enough for {@code omp_set_num_threads(int)}: on all
 * platforms we know, an int is passed like the low half of a word. Where that way is closed, {@code
 * OMP_NUM_THREADS} decides, and a warning says so.
 */
final class OmpThreads {
  private static final Logger LOG = LoggerFactory.getLogger(OmpThreads.class);
  private static final ThreadLocal<int[]> CURRENT = ThreadLocal.withInitial(() -> new int[1]);
  private static final OmpThreads INSTANCE = new OmpThreads();

  private final long function;
  private Object caller;
  private Method call;

  private OmpThreads() {
    Loader.load(dnnl.class);
    final Pointer found = Loader.addressof("omp_set_num_threads");
    function = found == null ? 0 : found.address();
    try {
      final Class<?> type = Class.forName(Pointer.class.getName() + "$NativeDeallocator");
      final Constructor<?> constructor =
          type.getDeclaredConstructor(Pointer.class, long.class, long.class);
      constructor.setAccessible(true);
      caller = constructor.newInstance(new BytePointer(), 0L, 0L);
      call = type.getDeclaredMethod("deallocate", long.class, long.class);
      call.setAccessible(true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("no way to call native functions", e);
    }
    if (!works()) {
      LOG.warn("oneDNN's number of threads cannot be set: OMP_NUM_THREADS decides");
    }
  }

  /** Makes oneDNN use this many threads for calls of the current thread; 1 is inline. */
  static void use(int threads) {
    final int[] current = CURRENT.get();
    if (current[0] != threads) {
      INSTANCE.set(threads);
      current[0] = threads;
    }
  }

  private boolean works() {
    return function != 0 && call != null;
  }

  private void set(int threads) {
    if (!works()) {
      return;
    }
    try {
      call.invoke(caller, (long) threads, function);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
