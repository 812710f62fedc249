package dev.tributary.train.monitored;

import dev.tributary.session.Session;

/** What a hook sees of a step. Confined to the thread that runs the step. */
public final class SessionRunContext {
  private final Session session;
  private boolean stopRequested;

  SessionRunContext(Session session) {
    this.session = session;
  }

  /** For steps of the hook's own. */
  public Session session() {
    return session;
  }

  /** Lets no further step begin. */
  public void requestStop() {
    stopRequested = true;
  }

  public boolean stopRequested() {
    return stopRequested;
  }
}
