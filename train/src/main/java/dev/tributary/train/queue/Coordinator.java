package dev.tributary.train.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Deadline;
import dev.tributary.internal.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A coordinator that stops a group of threads together. Any of them may request a stop; the failure
 * of the first one that does is thrown where the threads are joined. Any thread may use it. Guarded
 * by its own monitor.
 *
 * <pre>{@code
 * Coordinator coordinator = new Coordinator();
 * List<Thread> threads = QueueRunner.startQueueRunners(session, coordinator);
 * while (!coordinator.shouldStop()) {
 *   session.run(train);
 * }
 * coordinator.join();
 * }</pre>
 */
public final class Coordinator {
  /** The time that {@link #join()} waits for threads after a stop was requested. */
  public static final Duration STOP_GRACE = Duration.ofSeconds(120);

  /** The interval at which a joining thread checks for threads that ended by themselves. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Set<ErrorCode> cleanStops;

  @GuardedBy("this")
  private final Set<Thread> registered = new LinkedHashSet<>();

  @GuardedBy("this")
  private final List<Runnable> stopActions = new ArrayList<>();

  @GuardedBy("this")
  private boolean stopRequested;

  @GuardedBy("this")
  private boolean joined;

  @GuardedBy("this")
  private Optional<RuntimeException> failure = Optional.empty();

  /** Creates a coordinator that does not treat the end of the input, OUT_OF_RANGE, as a failure. */
  public Coordinator() {
    this(Set.of(ErrorCode.OUT_OF_RANGE));
  }

  /**
   * @param cleanStops codes of errors that request a stop, but are not failures
   */
  public Coordinator(Set<ErrorCode> cleanStops) {
    this.cleanStops = Set.copyOf(cleanStops);
  }

  /** Requests a stop of all threads. */
  public void requestStop() {
    stop(Optional.empty());
  }

  /**
   * Requests a stop of all threads because of a failure. Only that of the first call is kept; after
   * the threads were joined it is thrown at once, since no join would throw it.
   */
  public void requestStop(RuntimeException reason) {
    stop(Optional.of(reason).filter(e -> !isClean(e)));
  }

  public synchronized boolean shouldStop() {
    return stopRequested;
  }

  /** Returns the failure for which a stop was requested, if there was one. */
  public synchronized Optional<RuntimeException> failure() {
    return failure;
  }

  /**
   * Runs an action when a stop is requested, in the thread that requests it; at once if one was.
   * Actions run in the order in which they were added. They end what other threads wait for, since
   * a thread that waits does not ask {@link #shouldStop}; so they must not fail and must not wait
   * long.
   */
  public void onStop(Runnable action) {
    boolean stopped;
    synchronized (this) {
      stopped = stopRequested;
      if (!stopped) {
        stopActions.add(action);
      }
    }
    if (stopped) {
      action.run();
    }
  }

  /** Waits until a stop is requested; false if it was not within the limit. */
  public synchronized boolean waitForStop(Duration limit) {
    Deadline deadline = Deadline.in(limit, Ticker.SYSTEM);
    while (!stopRequested) {
      if (deadline.isOver()) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, deadline.left().toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TributaryException(ErrorCode.CANCELLED, "the wait for a stop was interrupted", e);
      }
    }
    return true;
  }

  /** Clears a requested stop and its failure, so that threads can be started again. */
  public synchronized void clearStop() {
    stopRequested = false;
    joined = false;
    failure = Optional.empty();
  }

  /** Adds a thread to those that {@link #join()} waits for. */
  public synchronized void register(Thread thread) {
    registered.add(thread);
  }

  /**
   * Starts a daemon thread that repeats an action until a stop is requested, and registers it; a
   * failure of the action requests a stop. Repetitions begin one interval apart, the first one at
   * once: TensorFlow's {@code LooperThread}.
   *
   * @param interval zero to repeat without a pause
   */
  public Thread loop(String name, Duration interval, Runnable body) {
    Thread thread = new LooperThread(name, this, interval, body, Ticker.SYSTEM);
    register(thread);
    thread.start();
    return thread;
  }

  /** Runs {@code body}; an exception requests a stop. */
  public void stopOnException(Runnable body) {
    try {
      body.run();
    } catch (RuntimeException e) {
      requestStop(e);
    } catch (Error e) {
      requestStop(new TributaryException(ErrorCode.INTERNAL, e.toString(), e));
    }
  }

  /** Waits for all registered threads, with a grace of {@link #STOP_GRACE}. */
  public void join() {
    join(List.of(), STOP_GRACE);
  }

  /**
   * Waits until the threads, given and registered, have ended by themselves, or until a stop is
   * requested and then at most {@code grace} longer. Throws the failure that was the reason to
   * stop, or else DEADLINE_EXCEEDED with the names of threads that still run.
   */
  public void join(Collection<Thread> threads, Duration grace) {
    List<Thread> running = finish(threads, grace);
    throwFailure();
    if (!running.isEmpty()) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          "Coordinator stopped with threads still running: " + names(running));
    }
  }

  /** As {@link #join(Collection, Duration)}, but returns the threads that still run. */
  public List<Thread> joinIgnoringLiveThreads(Collection<Thread> threads, Duration grace) {
    List<Thread> running = finish(threads, grace);
    throwFailure();
    return running;
  }

  /** Waits for the threads and returns those that did not end in time. */
  private List<Thread> finish(Collection<Thread> threads, Duration grace) {
    Set<Thread> all;
    synchronized (this) {
      all = new LinkedHashSet<>(registered);
    }
    all.addAll(threads);
    while (anyAlive(all) && !waitForStop(LOOK)) {
      // Looks again.
    }
    Deadline deadline = Deadline.in(grace, Ticker.SYSTEM);
    for (Thread thread : all) {
      awaitEnd(thread, deadline.left());
    }
    synchronized (this) {
      joined = true;
      registered.clear();
    }
    return all.stream().filter(Thread::isAlive).toList();
  }

  private void stop(Optional<RuntimeException> reason) {
    record(reason).forEach(Runnable::run);
  }

  /** Records a request. Returns the actions to run, none if there was a request before. */
  private synchronized List<Runnable> record(Optional<RuntimeException> reason) {
    if (joined && reason.isPresent()) {
      throw reason.get();
    }
    if (stopRequested) {
      return List.of();
    }
    stopRequested = true;
    failure = reason;
    notifyAll();
    List<Runnable> actions = List.copyOf(stopActions);
    stopActions.clear();
    return actions;
  }

  private boolean isClean(RuntimeException reason) {
    return reason instanceof TributaryException
        && cleanStops.contains(((TributaryException) reason).code());
  }

  private synchronized void throwFailure() {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private static boolean anyAlive(Set<Thread> threads) {
    return threads.stream().anyMatch(Thread::isAlive);
  }

  private static void awaitEnd(Thread thread, Duration limit) {
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(limit.toNanos(), 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TributaryException(
          ErrorCode.CANCELLED, "interrupted while waiting for " + thread.getName(), e);
    }
  }

  private static String names(List<Thread> threads) {
    return threads.stream().map(Thread::getName).collect(Collectors.joining(", "));
  }
}
