package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.hook.CheckpointSaverHook;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.variable.GlobalStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Monitored sessions of workers in training. The chief initializes the model or restores it from
 * the latest checkpoint, saves it, and writes events; other workers wait until the model is ready.
 * All continue after tasks were lost, from the last checkpoint if these held variables. Opening a
 * session makes the graph final: hooks add what they need in {@code begin}.
 *
 * <pre>{@code
 * MonitoredTrainingOptions options =
 *     MonitoredTrainingOptions.chief().withOutput(ChiefOutput.to(logdir));
 * List<SessionRunHook> hooks = List.of(StopAtStepHook.lastStep(globalStep, 10_000));
 * try (MonitoredSession session =
 *     MonitoredTrainingSession.open(tf, server.target(), options, hooks)) {
 *   session.repeatUntilStop(s -> s.run(train));
 * }
 * }</pre>
 */
public final class MonitoredTrainingSession {
  private MonitoredTrainingSession() {}

  /**
   * Opens a session at a target: {@code grpc://host:port}, or {@code local}.
   *
   * @param hooks run after those of the options
   */
  public static MonitoredSession open(
      Ops tf, String target, MonitoredTrainingOptions options, List<SessionRunHook> hooks) {
    return open(tf, () -> Session.open(target, tf.graph()), options, hooks);
  }

  /** Opens a session with another source of plain sessions. */
  public static MonitoredSession open(
      Ops tf,
      Supplier<Session> opener,
      MonitoredTrainingOptions options,
      List<SessionRunHook> hooks) {
    return options.isChief()
        ? openChief(tf, opener, options, hooks)
        : openWorker(tf, opener, options, hooks);
  }

  private static MonitoredSession openChief(
      Ops tf,
      Supplier<Session> opener,
      MonitoredTrainingOptions options,
      List<SessionRunHook> hooks) {
    List<SessionRunHook> all = new ArrayList<>(options.chiefOnlyHooks());
    all.addAll(hooks);
    all.forEach(hook -> hook.begin(tf));
    options.savingListeners().forEach(listener -> listener.begin(tf));
    Scaffold scaffold = options.scaffold().completed(tf);
    Optional<LiveModel> live =
        LiveModel.of(tf, options.output().checkpointDir(), options.startsOver());
    tf.graph().makeFinal();
    Optional<Variable> globalStep = GlobalStep.find(tf.graph());
    if (options.output().writesFiles() && globalStep.isEmpty()) {
      throw TributaryException.failedPrecondition(
          "a chief that writes checkpoints or summaries needs a global step in the graph, make one"
              + " with GlobalStep.create");
    }
    ChiefFiles files = ChiefFiles.open(options.output(), CheckpointSaverHook.BASENAME);
    all.addAll(
        options.chiefOnlyHooks().size(),
        files.hooks(scaffold.saver(), scaffold.summaryOp(), globalStep, options.savingListeners()));
    SessionManager sessions = new SessionManager(setup(scaffold, options), live);
    SessionCreator creator =
        new PreparedSessions(
            () -> sessions,
            manager -> manager.prepareSession(opener, options.output().checkpointDir()));
    return MonitoredSession.open(creator, all, options.stopGrace(), () -> patience(options), files);
  }

  private static MonitoredSession openWorker(
      Ops tf,
      Supplier<Session> opener,
      MonitoredTrainingOptions options,
      List<SessionRunHook> hooks) {
    hooks.forEach(hook -> hook.begin(tf));
    Scaffold scaffold = options.scaffold().completed(tf);
    tf.graph().makeFinal();
    SessionCreator creator = SessionCreator.worker(() -> setup(scaffold, options), opener);
    return MonitoredSession.open(
        creator, hooks, options.stopGrace(), () -> patience(options), () -> {});
  }

  private static Patience patience(MonitoredTrainingOptions options) {
    return new Patience(options.recoveryWait(), options.maxWait(), Ticker.SYSTEM);
  }

  private static SessionSetup setup(Scaffold completed, MonitoredTrainingOptions options) {
    SessionSetup setup = completed.setup().withWaits(options.recoveryWait(), options.maxWait());
    return options.startsOver() ? setup.withStartOver() : setup;
  }
}
