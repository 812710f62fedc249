package dev.tributary.bench;

/** Checks of the results of a workload, so that nobody is fast and wrong. */
public final class Checks {
  private Checks() {}

  public static void equal(String what, float got, float wanted) {
    if (got != wanted) {
      throw new IllegalStateException("%s: got %s, wanted %s".formatted(what, got, wanted));
    }
  }
}
