package dev.tributary.train.hook;

import dev.tributary.session.Session;

/** What hooks see of a step. Confined to the thread that runs the step. */
public final class SessionRunContext {
  private final Session session;
  private final SessionRunArgs originalArgs;
  private boolean stopRequested;

  /**
   * @param originalArgs the step without what hooks add
   */
  public SessionRunContext(Session session, SessionRunArgs originalArgs) {
    this.session = session;
    this.originalArgs = originalArgs;
  }

  /** For steps of the hook's own, around which no hook is called. */
  public Session session() {
    return session;
  }

  /** What the caller asked for, without what hooks add. */
  public SessionRunArgs originalArgs() {
    return originalArgs;
  }

  /** Lets no further step begin. */
  public void requestStop() {
    stopRequested = true;
  }

  public boolean stopRequested() {
    return stopRequested;
  }
}
