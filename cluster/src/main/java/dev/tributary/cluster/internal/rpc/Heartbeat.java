package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.LastHeard;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.StateMachine;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches another task while calls wait for it, and ends these calls as UNAVAILABLE once the task
 * has been silent for too long: its process hangs, or its machine is gone, and no broken connection
 * says so. From then on calls end after a short while, until the task is heard from again.
 *
 * <p>Whatever comes from it is a sign of life, so a task that is busy answering costs nothing. One
 * that lets calls wait is asked by gRPC's health check, ten times within the limit. A task that has
 * no such service, as stock TensorFlow has none, is not watched. Silence is counted in beats of
 * this process: time in which it did not run itself is not held against the other.
 *
 * <p>Limits of minutes are looked after here too: a beat finds that one is over soon enough, and
 * costs the call nothing.
 *
 * <p>Safe for use by many threads; beats follow one another.
 */
final class Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  /** The request to our own tasks; it is empty, since any answer is a sign of life. */
  static final Rpc<Void, Void> CHECK =
      Rpc.of("grpc.health.v1.Health", "Check", Codec.EMPTY, Codec.EMPTY);

  private static final int BEATS_IN_LIMIT = 10;

  /** Fewer than the limit has: up to one passes before the silence begins, one before we act. */
  private static final int SILENT_BEATS = 8;

  /** The timeout of a call to a lost task: it may be the call that finds the task again. */
  private static final int LEAST_BEATS = 2;

  private enum State {
    WATCHING,
    LOST,
    /** The task cannot be asked: beats look at the limits of calls alone. */
    DEAF,
    CLOSED
  }

  /** A call that waits; {@code limit} is empty if somebody else looks after its time. */
  private record Waiting(
      String method,
      int sinceBeat,
      long sinceNanos,
      Optional<Duration> limit,
      Consumer<TributaryException> end) {
    boolean isTooLate(long nanos) {
      return limit.isPresent() && nanos - sinceNanos > limit.get().toNanos();
    }
  }

  private final String peer;
  private final Timer timer;
  private final Duration interval;
  private final Supplier<CompletableFuture<Void>> check;
  private final Runnable onLost;
  private final Map<Object, Waiting> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean heardSinceBeat;
  private volatile boolean everHeard;
  private volatile long heardNanos;

  private final StateMachine<State> state = new StateMachine<>(State.WATCHING);

  /** True while beats are sent, which is only while calls wait. */
  private final AtomicBoolean beating = new AtomicBoolean();

  /** Written by the beats only. */
  private volatile int beats;

  /** Confined to the beats. */
  private int silentBeats;

  /**
   * @param peer what errors call the task
   * @param timer runs the beats, on threads that may call the task
   * @param limit after how much silence a task counts as lost
   * @param check calls {@link #CHECK}; like any call it has {@linkplain #ended ended} some time
   * @param onLost gives up the connection, which may hang though the task would answer on a new one
   */
  Heartbeat(
      String peer,
      Timer timer,
      Duration limit,
      Supplier<CompletableFuture<Void>> check,
      Runnable onLost) {
    this.peer = peer;
    this.timer = timer;
    this.interval = limit.dividedBy(BEATS_IN_LIMIT);
    this.check = check;
    this.onLost = onLost;
  }

  /**
   * Watches on behalf of a call, until it has {@linkplain #ended ended}.
   *
   * @param limit of the call, if it is to be looked after here
   * @param end ends the call
   */
  void began(
      Object call, String method, Optional<Duration> limit, Consumer<TributaryException> end) {
    waiting.put(call, new Waiting(method, beats, timer.nanos(), limit, end));
    if (!beating.get()) {
      startBeating();
    }
  }

  void ended(Object call, Optional<TributaryException> failure) {
    waiting.remove(call);
    if (failure.isEmpty() || isAnswer(failure.get())) {
      heard();
    }
  }

  boolean isLost() {
    return state.is(State.LOST);
  }

  /** Returns the time since the task was last heard from; empty if it never was. */
  Optional<Duration> lastHeard() {
    return everHeard ? Optional.of(Duration.ofNanos(timer.nanos() - heardNanos)) : Optional.empty();
  }

  void close() {
    state.moveTo(State.CLOSED);
  }

  /** Tells that the task has said something. */
  void heard() {
    heardNanos = timer.nanos();
    everHeard = true;
    heardSinceBeat = true;
    if (state.is(State.LOST) && state.move(State.LOST, State.WATCHING)) {
      LOG.info("{} is heard from again", peer);
    }
  }

  private void startBeating() {
    if (beating.compareAndSet(false, true)) {
      heardSinceBeat = true; // Silence counts from the next beat on.
      timer.every(interval, this::beat);
    }
  }

  /** Returns whether another beat is to follow. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Each beat starts the next: one at a time counts.
  private boolean beat() {
    if (state.is(State.CLOSED)) {
      return false;
    }
    if (!state.is(State.LOST) && waiting.isEmpty()) {
      beating.set(false);
      if (!waiting.isEmpty()) {
        startBeating(); // It came between the two looks, and found beats that were about to end.
      }
      return false;
    }
    beats++;
    endTooLate();
    if (!state.is(State.DEAF)) {
      listen();
    }
    return true;
  }

  private void listen() {
    silentBeats = heardSinceBeat ? 0 : silentBeats + 1;
    heardSinceBeat = false;
    if (silentBeats >= SILENT_BEATS) {
      giveUp();
    }
    if (silentBeats > 0) {
      ask();
    }
  }

  private void endTooLate() {
    long now = timer.nanos();
    for (Waiting call : waiting.values()) {
      if (call.isTooLate(now)) {
        call.end().accept(tooLate(call));
      }
    }
  }

  /** One question at a time: a task that is back answers the first one that reaches it. */
  private void ask() {
    if (asked.compareAndSet(false, true)) {
      check
          .get()
          .whenComplete(
              (answer, thrown) -> {
                asked.set(false);
                if (thrown != null
                    && Statuses.toException(thrown).code() == ErrorCode.UNIMPLEMENTED) {
                  state.move(State.WATCHING, State.DEAF);
                }
              });
    }
  }

  private void giveUp() {
    if (state.move(State.WATCHING, State.LOST)) {
      LOG.warn("{} is silent; {} calls that wait for it end", peer, waiting.size());
      onLost.run();
    }
    for (Waiting call : waiting.values()) {
      if (beats - call.sinceBeat() >= LEAST_BEATS) {
        call.end().accept(silent(call.method()));
      }
    }
  }

  private TributaryException tooLate(Waiting call) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        String.format(
            "%s: %s had no answer within %s; last heard from %s",
            peer,
            call.method(),
            TimeText.of(call.limit().orElseThrow()),
            LastHeard.text(lastHeard())));
  }

  private TributaryException silent(String method) {
    return new TributaryException(
        ErrorCode.UNAVAILABLE,
        String.format(
            "%s: silent, last heard from %s; %s waits for it. Check that its process runs and can"
                + " be reached; restart it if not",
            peer, LastHeard.text(lastHeard()), method));
  }

  /** Returns whether the error comes from the task itself rather than from gRPC on this side. */
  private static boolean isAnswer(TributaryException failure) {
    return switch (failure.code()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNKNOWN -> false;
      default -> true;
    };
  }
}
