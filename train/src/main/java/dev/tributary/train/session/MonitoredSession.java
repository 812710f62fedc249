package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Preemption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session that runs hooks around each step and survives the loss of tasks: a step that fails with
 * ABORTED or UNAVAILABLE, or because variables were lost, is run again in a new session in which
 * the model is ready. {@link MonitoredTrainingSession} opens sessions for training.
 *
 * <pre>{@code
 * try (MonitoredSession session = MonitoredTrainingSession.open(tf, target, options, hooks)) {
 *   session.repeatUntilStop(s -> s.run(train));
 * }
 * }</pre>
 *
 * Confined to one thread.
 */
public final class MonitoredSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MonitoredSession.class);
  private static final Duration STOP_GRACE = Duration.ofSeconds(120);

  private final SessionCreator creator;
  private final List<SessionRunHook> hooks;
  private final boolean recovers;
  private final Duration stopGrace;
  private final AutoCloseable beside;
  private Optional<CoordinatedSession> current = Optional.empty();
  private boolean failed;
  private boolean closed;

  private MonitoredSession(
      SessionCreator creator,
      List<SessionRunHook> hooks,
      boolean recovers,
      Duration stopGrace,
      AutoCloseable beside) {
    this.creator = creator;
    this.hooks = List.copyOf(hooks);
    this.recovers = recovers;
    this.stopGrace = stopGrace;
    this.beside = beside;
  }

  /** Calls {@code begin} of the hooks and opens the first session. */
  public static MonitoredSession open(Ops tf, SessionCreator creator, List<SessionRunHook> hooks) {
    hooks.forEach(hook -> hook.begin(tf));
    return open(creator, hooks, STOP_GRACE, () -> {});
  }

  /**
   * Opens the first session for hooks whose {@code begin} was called.
   *
   * @param beside closed at the end, also if no session can be opened
   */
  static MonitoredSession open(
      SessionCreator creator,
      List<SessionRunHook> hooks,
      Duration stopGrace,
      AutoCloseable beside) {
    return opened(new MonitoredSession(creator, hooks, true, stopGrace, beside));
  }

  /** Opens a session that does not recover: the caller gets all exceptions. */
  static MonitoredSession openSingular(SessionCreator creator, List<SessionRunHook> hooks) {
    return opened(new MonitoredSession(creator, hooks, false, STOP_GRACE, () -> {}));
  }

  private static MonitoredSession opened(MonitoredSession session) {
    try {
      session.session();
      return session;
    } catch (RuntimeException | Error e) {
      session.closeBeside();
      throw e;
    }
  }

  /**
   * Returns whether a hook or a thread beside the session has requested a stop, or a thread has
   * failed; its failure is then thrown by {@link #close}.
   */
  public boolean shouldStop() {
    if (recovers && current.isPresent()) {
      current.get().recoverableThreadFailure().ifPresent(this::recover);
    }
    return closed || (current.isPresent() && current.get().shouldStop());
  }

  /** Runs operations for their effect. */
  public void run(Operation... targets) {
    run(SessionRunArgs.running(targets)).close();
  }

  /** Runs a step with the additions of hooks. Returns the values of {@code fetches} only. */
  public StepResult run(Map<Output, Tensor> feeds, List<Output> fetches, List<Operation> targets) {
    return run(SessionRunArgs.none().withFeeds(feeds).withFetches(fetches).withTargets(targets));
  }

  /** Runs a step with the additions of hooks. The caller keeps the feeds. */
  public StepResult run(SessionRunArgs step) {
    if (shouldStop()) {
      throw TributaryException.failedPrecondition("a step was begun after the request to stop");
    }
    while (true) {
      CoordinatedSession session = session();
      try {
        StepResult result = session.run(step);
        failed = false;
        return result;
      } catch (TributaryException e) {
        if (!recovers || !session.isRecoverable(e)) {
          failed = !isEndOfInput(e);
          throw e;
        }
        recover(e);
      } catch (RuntimeException | Error e) {
        failed = true;
        throw e;
      }
    }
  }

  /** Repeats an action, usually a step, until a stop is requested or the input ends. */
  public void repeatUntilStop(Consumer<MonitoredSession> body) {
    try {
      while (!shouldStop()) {
        body.accept(this);
      }
    } catch (TributaryException e) {
      if (!isEndOfInput(e)) {
        failed = true;
        throw e;
      }
    } catch (RuntimeException | Error e) {
      failed = true;
      throw e;
    }
  }

  private static boolean isEndOfInput(TributaryException e) {
    return e.code() == ErrorCode.OUT_OF_RANGE;
  }

  /** Returns the open session, or a new one. */
  private CoordinatedSession session() {
    while (current.isEmpty()) {
      try {
        current = Optional.of(CoordinatedSession.create(creator, hooks, stopGrace));
      } catch (TributaryException e) {
        if (!recovers || !Preemption.isReasonOf(e)) {
          failed = true;
          throw e;
        }
        LOG.warn("a session was lost before its first step: {}", e.getMessage());
      }
    }
    return current.get();
  }

  private void recover(TributaryException loss) {
    LOG.warn("training continues in a new session: {}", loss.getMessage());
    current.ifPresent(CoordinatedSession::abandon);
    current = Optional.empty();
  }

  /**
   * Calls {@code end} of the hooks unless the last step has failed, stops the threads, and closes
   * the session. Throws the failure of a thread.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      current.ifPresent(this::close);
    } finally {
      closeBeside();
    }
  }

  private void close(CoordinatedSession session) {
    if (failed) {
      session.abandon();
      return;
    }
    try {
      session.end();
    } finally {
      session.close();
    }
  }

  private void closeBeside() {
    try {
      beside.close();
    } catch (Exception e) {
      LOG.warn("what was open beside a session did not close", e);
    }
  }
}
