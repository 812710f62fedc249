package dev.tributary.internal.kernel.onednn;

/**
 * The setting that threads of oneDNN spin for a short time only. Apart from {@link OmpThreads}, so
 * that asking for it does not load the library. Safe for use by many threads.
 */
public final class SpinLimit {
  private static volatile boolean requested;

  private SpinLimit() {}

  /** Takes effect if oneDNN is loaded later. */
  public static void request() {
    requested = true;
  }

  /** Returns whether it is wanted, and the environment says nothing else. */
  static boolean isWanted() {
    return requested
        && System.getenv("GOMP_SPINCOUNT") == null
        && System.getenv("OMP_WAIT_POLICY") == null;
  }
}
