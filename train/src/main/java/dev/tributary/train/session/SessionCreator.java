package dev.tributary.train.session;

import dev.tributary.session.Session;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** A source of sessions in which a model is ready, one after the other as they are lost. */
@FunctionalInterface
interface SessionCreator {
  /** Opens a session, which the caller closes. */
  Session createSession();

  /**
   * Returns whether the model in a session is still ready. If not, its variables were lost with the
   * task that held them, and training continues in a new session. Any thread may call.
   */
  default boolean isReady(Session session) {
    return true;
  }

  /**
   * Returns sessions of the chief, which restores or initializes the model.
   *
   * @param setup called for each session, so that hooks may add to the graph before
   * @param checkpoints the folder to restore from
   */
  static SessionCreator chief(
      Supplier<SessionSetup> setup, Supplier<Session> opener, Optional<Path> checkpoints) {
    return new PreparedSessions(
        () -> new SessionManager(setup.get(), Optional.empty()),
        manager -> manager.prepareSession(opener, checkpoints));
  }

  /** Returns sessions of another worker, which waits for the chief. */
  static SessionCreator worker(Supplier<SessionSetup> setup, Supplier<Session> opener) {
    return new PreparedSessions(
        () -> new SessionManager(setup.get(), Optional.empty()),
        manager -> manager.waitForSession(opener));
  }
}
