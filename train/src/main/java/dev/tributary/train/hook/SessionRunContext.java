package dev.tributary.train.hook;

import dev.tributary.session.Session;

/** The step around which hooks are called. Confined to the thread that runs the step. */
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

  /** Returns the session, for steps of the hook's own, around which no hook is called. */
  public Session session() {
    return session;
  }

  /** Returns the step as the caller requested it, without the additions of hooks. */
  public SessionRunArgs originalArgs() {
    return originalArgs;
  }

  /** Requests that no further step begins. */
  public void requestStop() {
    stopRequested = true;
  }

  public boolean stopRequested() {
    return stopRequested;
  }
}
