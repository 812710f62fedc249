package dev.tributary.app.http;

import java.util.Optional;

/**
 * Answers whether this process takes work. It does between {@link #ready} and {@link #stopping}.
 * Safe for use by many threads.
 */
public final class Readiness {
  private volatile Optional<String> obstacle = Optional.of("starting");
  private volatile boolean stopping;

  /** Tells that work is taken from now on, unless the process stops already. */
  public void ready() {
    obstacle = Optional.empty();
  }

  /** Tells that no more work is taken. */
  public void stopping() {
    stopping = true;
  }

  /** Returns why the process takes no work; empty if it does. */
  Optional<String> obstacle() {
    return stopping ? Optional.of("stopping") : obstacle;
  }
}
