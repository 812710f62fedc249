package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The work of a pipeline's stages while nobody asks it. It can be halted, so that the stages can be
 * saved while none of them changes. Guarded by its own monitor; it is the innermost lock.
 */
final class BackgroundWork {
  @GuardedBy("this")
  private final Set<Runnable> held = new LinkedHashSet<>();

  @GuardedBy("this")
  private Runnable whenIdle = () -> {};

  @GuardedBy("this")
  private boolean halted;

  @GuardedBy("this")
  private int active;

  /**
   * Returns whether a piece of work may begin, which then must {@link #end}.
   *
   * @param isWanted whether a stage waits for it: its own work could not end without
   * @param again runs if not, as soon as it may
   */
  synchronized boolean begin(boolean isWanted, Runnable again) {
    if (halted && !isWanted) {
      held.add(again);
      return false;
    }
    active++;
    return true;
  }

  void end() {
    Runnable idle = () -> {};
    synchronized (this) {
      active--;
      if (halted && active == 0) {
        idle = whenIdle;
        whenIdle = () -> {};
      }
    }
    idle.run();
  }

  /** Lets nothing begin, and runs an action when all that is under way has ended. */
  void halt(Runnable idle) {
    synchronized (this) {
      halted = true;
      if (active > 0) {
        whenIdle = idle;
        return;
      }
    }
    idle.run();
  }

  void resume() {
    List<Runnable> all;
    synchronized (this) {
      halted = false;
      all = new ArrayList<>(held);
      held.clear();
    }
    all.forEach(Runnable::run);
  }
}
