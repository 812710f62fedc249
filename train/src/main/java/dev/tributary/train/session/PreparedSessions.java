package dev.tributary.train.session;

import dev.tributary.session.Session;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sessions that a {@link SessionManager} opens.
 *
 * @param manager called for each session, so that hooks may add to the graph before
 */
record PreparedSessions(Supplier<SessionManager> manager, Function<SessionManager, Session> opener)
    implements SessionCreator {
  @Override
  public Session createSession() {
    return opener.apply(manager.get());
  }

  @Override
  public boolean isReady(Session session) {
    return manager.get().isReady(session);
  }
}
