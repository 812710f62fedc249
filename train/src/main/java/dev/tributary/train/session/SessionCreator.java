package dev.tributary.train.session;

import dev.tributary.session.Session;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens sessions in which a model is ready, one after the other as they are lost. */
@FunctionalInterface
public interface SessionCreator {
  /** A session that is the caller's to close. */
  Session createSession();

  /**
   * Sessions of the chief, who restores or initialises the model.
   *
   * @param setup asked when a session is wanted, so that hooks may add to the graph before
   * @param checkpoints the folder to restore from
   */
  static SessionCreator chief(
      Supplier<SessionSetup> setup, Supplier<Session> opener, Optional<Path> checkpoints) {
    return () -> new SessionManager(setup.get()).prepareSession(opener, checkpoints);
  }

  /** Sessions of another worker, who waits for the chief. */
  static SessionCreator worker(Supplier<SessionSetup> setup, Supplier<Session> opener) {
    return () -> new SessionManager(setup.get()).waitForSession(opener);
  }
}
