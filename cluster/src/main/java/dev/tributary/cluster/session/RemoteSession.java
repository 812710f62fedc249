package dev.tributary.cluster.session;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.CreateSessionRequest;
import dev.tributary.cluster.protocol.CreateSessionResponse;
import dev.tributary.cluster.protocol.ListTasksRequest;
import dev.tributary.cluster.protocol.TaskStatus;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.kernel.Cancellation;
import dev.tributary.plan.StepSignature;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session at the master of a cluster's task. It exists there as soon as it is opened, so that a
 * cluster that is not whole or a graph that it does not take shows at once; nodes that the graph
 * gets later are sent before the next step. Variables live on the cluster and outlive the session.
 */
final class RemoteSession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteSession.class);

  /** How often a session that is not open yet logs what it waits for. */
  private static final Duration WAITING_LOG_INTERVAL = Duration.ofSeconds(5);

  /** How long tasks may take to show that they are up, for that log. */
  private static final Duration STATUS_LIMIT = Duration.ofSeconds(2);

  /** How long the master may take to make a kind of step ready on all its workers. */
  private static final Duration PREPARE_LIMIT = Duration.ofMinutes(5);

  /** For calls that no step waits for: the list of devices, the end of the session. */
  private static final Duration SMALL_CALL_LIMIT = Duration.ofSeconds(30);

  /** How long closing waits for steps to end after their cancellation. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final MasterConnection connection;
  private final Graph graph;
  private final RemoteSteps steps;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RemoteSession(MasterConnection connection, Graph graph, RemoteSteps steps) {
    this.connection = connection;
    this.graph = graph;
    this.steps = steps;
  }

  /** Opens a session and takes over the connection, also if it fails. */
  static RemoteSession open(MasterConnection connection, Graph graph, SessionOptions options) {
    Duration limit = options.cluster().openTimeout();
    Cancellation cancellation = new Cancellation();
    RemoteGraph remote = new RemoteGraph(graph, connection.master(), limit);
    try {
      CreateSessionRequest request =
          new CreateSessionRequest(
              remote.initial(), SessionConfigs.toProto(options), connection.target());
      CallOptions call = CallOptions.cancelledBy(cancellation).within(limit);
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
              options.cluster().stepTimeout()));
    } catch (RuntimeException e) {
      // If it was this thread that gave up, the master is to do so, too.
      cancellation.cancel(e);
      connection.close();
      throw e instanceof TributaryException failure ? located(failure, connection.target()) : e;
    }
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
      this(connection, deviceFilters, System.nanoTime());
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
      List<String> down = tasks.stream().flatMap(task -> task.fault().stream()).toList();
      LOG.info(
          "{}: waiting since {} s for {}",
          connection.target(),
          Duration.ofNanos(System.nanoTime() - start).toSeconds(),
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
            signature.requireIn(graph);
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

  private StepSignature signature(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    StepSignature signature =
        new StepSignature(Operand.asOutputs(feeds), Operand.asOutputs(fetches), targets);
    signature.requireIn(graph);
    return signature;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    int left = steps.close(CLOSE_LIMIT);
    if (left > 0) {
      LOG.warn("session at {} closed while {} steps still run", connection.target(), left);
    }
    try {
      Answers.await(
          connection
              .master()
              .closeSession(
                  steps.sessionHandle(), CallOptions.defaults().within(SMALL_CALL_LIMIT)));
    } catch (TributaryException e) {
      // The session is of no use to anybody, whether or not its master still knows it.
      LOG.warn("session at {} did not end cleanly: {}", connection.target(), e.toString());
    }
    connection.close();
  }
}
