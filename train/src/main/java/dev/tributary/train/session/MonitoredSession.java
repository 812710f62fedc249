package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Value;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.internal.Preemption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
  private final Supplier<Patience> patience;
  private final AutoCloseable beside;
  private Optional<CoordinatedSession> current = Optional.empty();
  private boolean failed;
  private boolean closed;

  private MonitoredSession(
      SessionCreator creator,
      List<SessionRunHook> hooks,
      boolean recovers,
      Duration stopGrace,
      Supplier<Patience> patience,
      AutoCloseable beside) {
    this.creator = creator;
    this.hooks = List.copyOf(hooks);
    this.recovers = recovers;
    this.stopGrace = stopGrace;
    this.patience = patience;
    this.beside = beside;
  }

  /** Calls {@code begin} of the hooks and opens the first session. */
  static MonitoredSession open(Ops tf, SessionCreator creator, List<SessionRunHook> hooks) {
    hooks.forEach(hook -> hook.begin(tf));
    return open(creator, hooks, STOP_GRACE, MonitoredSession::usualPatience, () -> {});
  }

  /**
   * Opens the first session for hooks whose {@code begin} was called.
   *
   * @param patience limits the time in which sessions are lost before their first step
   * @param beside closed at the end, also if no session can be opened
   */
  static MonitoredSession open(
      SessionCreator creator,
      List<SessionRunHook> hooks,
      Duration stopGrace,
      Supplier<Patience> patience,
      AutoCloseable beside) {
    return opened(new MonitoredSession(creator, hooks, true, stopGrace, patience, beside));
  }

  /** Opens a session that does not recover: the caller gets all exceptions. */
  static MonitoredSession openSingular(SessionCreator creator, List<SessionRunHook> hooks) {
    return opened(
        new MonitoredSession(
            creator, hooks, false, STOP_GRACE, MonitoredSession::usualPatience, () -> {}));
  }

  private static Patience usualPatience() {
    SessionSetup usual = SessionSetup.empty();
    return new Patience(usual.recoveryWait(), usual.maxWait(), Ticker.SYSTEM);
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

  /** Runs an operation for its effect, as a training step. */
  public void run(Operation target, Feeds feeds) {
    run(SessionRunArgs.running(target), feeds).close();
  }

  /** Runs a step with the additions of hooks. Returns the values of {@code fetches} only. */
  public StepResult run(Feeds feeds, List<? extends Operand> fetches) {
    return run(SessionRunArgs.none().withFetches(fetches), feeds);
  }

  private StepResult run(SessionRunArgs step, Feeds feeds) {
    return feeds.withTensors(tensors -> run(step.withFeeds(tensors)));
  }

  /** Computes one operand in a step with the additions of hooks, and returns its value. */
  public Value fetch(Operand operand) {
    return fetch(operand, Feeds.none());
  }

  /** Computes one operand in a step with the additions of hooks, and returns its value. */
  public Value fetch(Operand operand, Feeds feeds) {
    try (StepResult result = run(SessionRunArgs.fetching(operand), feeds)) {
      return Value.copyOf(result.get(0));
    }
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
    if (current.isEmpty()) {
      current = Optional.of(newSession());
    }
    return current.get();
  }

  /** Opens a session, and again if it is lost before its first step. */
  private CoordinatedSession newSession() {
    Patience left = patience.get();
    while (true) {
      try {
        return CoordinatedSession.create(creator, hooks, stopGrace);
      } catch (TributaryException e) {
        if (!recovers || !Preemption.isReasonOf(e)) {
          failed = true;
          throw e;
        }
        LOG.warn("a session was lost before its first step: {}", e.getMessage());
        left.waitOnceMore(e.getMessage());
      }
    }
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
