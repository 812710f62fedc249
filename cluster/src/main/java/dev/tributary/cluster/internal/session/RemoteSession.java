package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ListTasksRequest;
import dev.tributary.cluster.internal.protocol.TaskStatus;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.time.Deadline;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import dev.tributary.session.PartialRun;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session at the master of a cluster's task. The master creates it in {@code open}, so that a
 * missing task or a rejected graph is reported there; nodes that are added to the graph later are
 * sent before the next step. Variables live on the cluster and outlive the session.
 */
final class RemoteSession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteSession.class);

  /** The interval at which a session that is not open yet logs what it waits for. */
  private static final Duration WAITING_LOG_INTERVAL = Duration.ofSeconds(5);

  /** The timeout of the question which tasks are up, for that log. */
  static final Duration STATUS_LIMIT = Duration.ofSeconds(2);

  /** The timeout of preparing a step on all workers. */
  private static final Duration PREPARE_LIMIT = Duration.ofMinutes(5);

  /** For calls that no step waits for. */
  private static final Duration SMALL_CALL_LIMIT = Duration.ofSeconds(30);

  /** The time that closing waits for cancelled steps, and for the master to forget the session. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final MasterConnection connection;
  private final Graph graph;
  private final RemoteSteps steps;
  private final Optional<SessionLease> lease;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RemoteSession(
      MasterConnection connection, Graph graph, RemoteSteps steps, Optional<SessionLease> lease) {
    this.connection = connection;
    this.graph = graph;
    this.steps = steps;
    this.lease = lease;
  }

  /** Opens a session and takes over the connection, also if it fails. */
  static RemoteSession open(MasterConnection connection, Graph graph, SessionOptions options) {
    Duration limit = options.cluster().openTimeout();
    Duration asking =
        limit.dividedBy(4).compareTo(STATUS_LIMIT) < 0 ? limit.dividedBy(4) : STATUS_LIMIT;
    Duration creating = limit.minus(asking);
    Deadline deadline = Deadline.in(creating, connection.timer());
    Cancellation cancellation = new Cancellation();
    RemoteGraph remote = new RemoteGraph(graph, connection.master(), connection.isRemote(), limit);
    try {
      CreateSessionRequest request =
          new CreateSessionRequest(
              remote.initial(), SessionConfigs.toProto(options), connection.target());
      CallOptions call = CallOptions.cancelledBy(cancellation).within(creating);
      CreateSessionResponse created =
          Answers.await(
              connection.master().createSession(request, call),
              WAITING_LOG_INTERVAL,
              new WaitingLog(connection, options.cluster().deviceFilters()));
      remote.created(created.sessionHandle(), created.graphVersion());
      return new RemoteSession(
          connection,
          graph,
          new RemoteSteps(
              connection.master(),
              created.sessionHandle(),
              remote,
              options.cluster().stepTimeout()),
          lease(connection, created.sessionHandle()));
    } catch (RuntimeException e) {
      // If it was this thread that gave up, the master is to do so, too.
      cancellation.cancel(e);
      RuntimeException explained =
          deadline.isOver() ? withMissingTasks(e, connection, options.cluster(), asking) : e;
      connection.close();
      throw explained instanceof TributaryException failure
          ? located(failure, connection.target())
          : explained;
    }
  }

  /** A client in the master's own process cannot go away without it. */
  private static Optional<SessionLease> lease(MasterConnection connection, String handle) {
    return connection.isRemote()
        ? Optional.of(
            SessionLease.hold(
                call -> connection.master().keepSession(handle, call), connection.timer()))
        : Optional.empty();
  }

  /**
   * The failure of a client that has waited for longer than it wants to, while the master still
   * waits for tasks: the master is asked which.
   */
  private static RuntimeException withMissingTasks(
      RuntimeException late, MasterConnection connection, ClusterOptions options, Duration limit) {
    if (!(late instanceof TributaryException failure)
        || failure.code() != ErrorCode.DEADLINE_EXCEEDED) {
      return late;
    }
    CompletableFuture<List<String>> faults =
        connection
            .master()
            .listTasks(
                new ListTasksRequest(options.deviceFilters(), limit.dividedBy(2)),
                CallOptions.defaults().within(limit))
            .handle((tasks, thrown) -> thrown == null ? faults(tasks) : List.of());
    List<String> down = connection.timer().completeAfter(limit, faults, List.of()).join();
    return down.isEmpty()
        ? late
        : new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED,
            String.format(
                "the session was not open within %s, since its master waits for %s; start these"
                    + " tasks, leave them out (ClusterOptions.withDeviceFilters), or wait longer"
                    + " (ClusterOptions.withOpenTimeout)",
                TimeText.of(options.openTimeout()), String.join("; ", down)),
            failure);
  }

  private static List<String> faults(List<TaskStatus> tasks) {
    return tasks.stream().flatMap(task -> task.fault().stream()).toList();
  }

  private static TributaryException located(TributaryException failure, String target) {
    TributaryException located = failure.at(target);
    return failure.code() == ErrorCode.UNIMPLEMENTED
        ? new TributaryException(
            failure.code(),
            located.getMessage()
                + "; does a server of Tributary or TensorFlow listen there? Check host and port",
            failure)
        : located;
  }

  /** Logs which tasks the opening of a session waits for. */
  private record WaitingLog(MasterConnection connection, List<String> deviceFilters, long start)
      implements Runnable {
    WaitingLog(MasterConnection connection, List<String> deviceFilters) {
      this(connection, deviceFilters, connection.timer().nanos());
    }

    @Override
    public void run() {
      if (!connection.isRemote()) {
        return; // A master in this process logs the same.
      }
      connection
          .master()
          .listTasks(
              new ListTasksRequest(deviceFilters, STATUS_LIMIT),
              CallOptions.defaults().within(STATUS_LIMIT.multipliedBy(2)))
          .exceptionally(unknown -> List.of())
          .thenAccept(this::log);
    }

    private void log(List<TaskStatus> tasks) {
      List<String> down = faults(tasks);
      LOG.info(
          "{}: waiting since {} s for {}",
          connection.target(),
          connection.timer().since(start).toSeconds(),
          down.isEmpty() ? "the session to be made" : String.join("; ", down));
    }
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public List<DeviceDescription> devices() {
    return connection.devices(steps.sessionHandle(), SMALL_CALL_LIMIT);
  }

  @Override
  public StepRunner runner() {
    return new StepRunner(
        this,
        new StepRunner.Target() {
          @Override
          public StepResult run(StepSignature signature, List<Tensor> feeds, RunOptions options) {
            return start(signature, feeds, options).await();
          }

          @Override
          public RunningStep start(
              StepSignature signature, List<Tensor> feeds, RunOptions options) {
            signature.requireStepOf(graph);
            return steps.start(signature, feeds, options);
          }
        });
  }

  @Override
  public StepCallable prepare(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    StepSignature signature = signature(feeds, fetches, targets);
    try {
      return RemoteCallable.make(steps, signature, PREPARE_LIMIT);
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.UNIMPLEMENTED) {
        throw e;
      }
      return new PlainCallable(steps, signature);
    }
  }

  @Override
  public PartialRun partialRun(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    return RemotePartialRun.begin(steps, signature(feeds, fetches, targets), PREPARE_LIMIT);
  }

  /** The master knows names only, and would take a node of another graph for its own. */
  private StepSignature signature(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    StepSignature signature =
        new StepSignature(Operand.asOutputs(feeds), Operand.asOutputs(fetches), targets);
    signature.requireStepOf(graph);
    return signature;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    lease.ifPresent(SessionLease::close);
    // The master ends them, too, so both are waited for at once.
    steps.cancel();
    CompletableFuture<Void> ended =
        connection
            .master()
            .closeSession(steps.sessionHandle(), CallOptions.defaults().within(CLOSE_LIMIT));
    int left = steps.awaitNone(CLOSE_LIMIT);
    if (left > 0) {
      LOG.warn("session at {} closed while {} steps still run", connection.target(), left);
    }
    try {
      Answers.await(ended);
    } catch (TributaryException e) {
      // The session is of no use to anybody, whether or not its master still knows it.
      LOG.warn("session at {} did not end cleanly: {}", connection.target(), e.toString());
    }
    connection.close();
  }
}
