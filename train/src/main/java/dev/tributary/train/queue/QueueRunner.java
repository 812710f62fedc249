package dev.tributary.train.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Queue;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.train.internal.Preemption;
import dev.tributary.train.variable.GraphKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A set of threads that fill a queue, one for each enqueue operation. When the last of them has
 * reached the end of its input it closes the queue; when a stop is requested it closes the queue
 * and cancels waiting enqueues, unless tasks were lost and training continues in a new session. Any
 * thread may use it; its counts are guarded by its own monitor.
 */
public final class QueueRunner {
  private static final Logger LOG = LoggerFactory.getLogger(QueueRunner.class);

  private final String name;
  private final List<Operation> enqueues;
  private final Operation close;
  private final Operation cancel;
  private final Set<ErrorCode> closedBy;

  @GuardedBy("this")
  private final Map<Session, Integer> running = new HashMap<>();

  private QueueRunner(
      String name,
      List<Operation> enqueues,
      Operation close,
      Operation cancel,
      Set<ErrorCode> closedBy) {
    this.name = name;
    this.enqueues = List.copyOf(enqueues);
    this.close = close;
    this.cancel = cancel;
    this.closedBy = Set.copyOf(closedBy);
  }

  /**
   * Creates a runner whose input ends with OUT_OF_RANGE, and the operations that close the queue.
   */
  public static QueueRunner of(Queue queue, List<Operation> enqueues) {
    return of(queue, enqueues, Set.of(ErrorCode.OUT_OF_RANGE));
  }

  /**
   * @param closedBy codes of errors that mean the end of the input rather than a failure
   */
  public static QueueRunner of(Queue queue, List<Operation> enqueues, Set<ErrorCode> closedBy) {
    if (enqueues.isEmpty()) {
      throw TributaryException.invalidArgument(
          "a queue runner needs at least one enqueue operation");
    }
    return new QueueRunner(
        queue.handle().operation().name(), enqueues, queue.close(), queue.close(true), closedBy);
  }

  /** Returns all runners that were added to a graph, in order. */
  public static List<QueueRunner> all(Graph graph) {
    return graph.collection(GraphKeys.QUEUE_RUNNERS).stream().map(QueueRunner.class::cast).toList();
  }

  /** Starts the threads of all queue runners of the session's graph; the coordinator joins them. */
  public static List<Thread> startQueueRunners(Session session, Coordinator coordinator) {
    List<Thread> threads = new ArrayList<>();
    all(session.graph()).forEach(r -> threads.addAll(r.startThreads(session, coordinator)));
    return threads;
  }

  /** Adds a runner to those that {@link #startQueueRunners} starts. */
  public QueueRunner addTo(Graph graph) {
    graph.addToCollection(GraphKeys.QUEUE_RUNNERS, this);
    return this;
  }

  /** The name of the queue's operation. */
  public String name() {
    return name;
  }

  /** The operations of which each has a thread. */
  public List<Operation> enqueueOps() {
    return enqueues;
  }

  /** Closes the queue at the end of the input. */
  public Operation closeOp() {
    return close;
  }

  /** Closes the queue and cancels enqueues that wait. */
  public Operation cancelOp() {
    return cancel;
  }

  /** Returns the codes of errors that mean the end of the input. */
  public Set<ErrorCode> closedBy() {
    return closedBy;
  }

  /**
   * Starts the threads for a session: daemons, which the coordinator joins. None if those of an
   * earlier call for the same session still run.
   */
  public List<Thread> startThreads(Session session, Coordinator coordinator) {
    synchronized (this) {
      if (running.getOrDefault(session, 0) > 0) {
        return List.of();
      }
      running.put(session, enqueues.size());
    }
    List<Thread> threads = new ArrayList<>();
    for (Operation enqueue : enqueues) {
      threads.add(thread(enqueue.name(), () -> fill(session, coordinator, enqueue)));
    }
    threads.forEach(coordinator::register);
    threads.forEach(Thread::start);
    coordinator.onStop(() -> cancelOnStop(session, coordinator));
    return threads;
  }

  private Thread thread(String operation, Runnable body) {
    Thread thread = new Thread(body, "queue-runner-" + operation);
    thread.setDaemon(true);
    return thread;
  }

  private void fill(Session session, Coordinator coordinator, Operation enqueue) {
    Optional<RuntimeException> end = Optional.empty();
    try (StepCallable step = session.prepare(List.of(), List.of(), List.of(enqueue))) {
      while (!coordinator.shouldStop()) {
        step.run().close();
      }
    } catch (RuntimeException e) {
      end = Optional.of(e);
    }
    boolean isLast = leave(session);
    if (end.isPresent() && !isEndOfInput(end.get())) {
      coordinator.requestStop(end.get());
    } else if (end.isPresent() && isLast) {
      runIgnoringErrors(session, close);
    }
  }

  private boolean isEndOfInput(RuntimeException failure) {
    return failure instanceof TributaryException
        && closedBy.contains(((TributaryException) failure).code());
  }

  /** Returns whether the thread that leaves was the last one. */
  private synchronized boolean leave(Session session) {
    int left = running.merge(session, -1, Integer::sum);
    if (left == 0) {
      running.remove(session);
    }
    return left == 0;
  }

  private void cancelOnStop(Session session, Coordinator coordinator) {
    // A session that lost its tasks has a successor, which needs the queue. What waits in this one
    // ends with it.
    if (coordinator.failure().filter(Preemption::isReasonOf).isEmpty()) {
      runIgnoringErrors(session, cancel);
    }
  }

  /** Closes the queue for others; it may be closed, or the session, already. */
  private static void runIgnoringErrors(Session session, Operation operation) {
    try {
      session.run(operation);
    } catch (TributaryException e) {
      LOG.debug("{} did not run", operation, e);
    }
  }
}
