package dev.tributary.train.session;

import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.hook.SessionRunHook;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Monitored sessions that do not recover: the loss of a task fails the step. */
public final class SingularMonitoredSession {
  private SingularMonitoredSession() {}

  /** Opens a session in this process, with the default scaffold and without a checkpoint. */
  public static MonitoredSession open(Ops tf, List<SessionRunHook> hooks) {
    Supplier<Session> opener = () -> Session.local(tf.graph());
    return open(tf, opener, Scaffold.defaults(), Optional.empty(), hooks);
  }

  /**
   * Opens a session that initializes or restores the model.
   *
   * @param checkpoints the folder to restore from
   */
  public static MonitoredSession open(
      Ops tf,
      Supplier<Session> opener,
      Scaffold scaffold,
      Optional<Path> checkpoints,
      List<SessionRunHook> hooks) {
    hooks.forEach(hook -> hook.begin(tf));
    SessionSetup setup = scaffold.completed(tf).setup();
    tf.graph().makeFinal();
    return MonitoredSession.openSingular(
        SessionCreator.chief(() -> setup, opener, checkpoints), hooks);
  }
}
