package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallCounters;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecentRequests;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.collective.CollectiveGroup;
import dev.tributary.internal.collective.CollectiveGroups;
import dev.tributary.internal.collective.GroupRequest;
import dev.tributary.internal.collective.InstanceRequest;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.time.Timer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.DeviceAttributes;

/**
 * The worker of one task, in this process: keeps sessions and their graphs, runs steps of them, and
 * gives other tasks the values that steps here send. Calls never block; work is done on the pool of
 * the environment. Safe for use by many threads.
 *
 * <p>Closing ends all steps and answers all that wait; calls are UNAVAILABLE from then on.
 */
public final class Worker implements WorkerInterface, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final int RECENT_REQUESTS = 100_000;

  private final WorkerEnvironment environment;
  private final TaskLog log;
  private final CallerThreads callers;
  private final LedCollectives collectives;
  private final CollectiveGroups groups;
  private final StepSequences sequences;
  private final WorkerSessions sessions;
  private final TransferLog transfers = new TransferLog();
  private final CallCounters counters = new CallCounters();
  private final Traffic traffic = new Traffic();
  private final StepTable steps;
  private final RecentRequests requests = new RecentRequests(RECENT_REQUESTS);
  private final GraphRuns runs;
  private final TensorRequests tensors;
  private final Completions completions = new Completions();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Timer.Alarm search;
  private volatile boolean asked;

  public Worker(WorkerEnvironment environment) {
    this(environment, TaskLog.of(environment.task()));
  }

  public Worker(WorkerEnvironment environment, TaskLog log) {
    this.environment = environment;
    this.log = log;
    Timer timer = environment.timer();
    this.callers = new CallerThreads(environment.executionPool(), timer);
    this.groups = new CollectiveGroups(timer);
    this.sequences = new StepSequences(environment.ids());
    this.collectives =
        new LedCollectives(
            environment.task(),
            this,
            environment.addressBooks()::ownCluster,
            environment.options().collectiveLeader());
    this.sessions = new WorkerSessions(environment, callers, log, traffic, collectives);
    this.steps =
        new StepTable(
            transfers,
            environment.ids(),
            timer,
            environment.options().transferTimeout(),
            environment.options().unclaimedTimeout());
    this.runs =
        new GraphRuns(steps, sequences, timer, environment.options().abortDelay(), log, counters);
    this.tensors =
        new TensorRequests(
            environment.devices(), steps, timer, environment.options().abortDelay(), traffic);
    this.search =
        timer.every(
            sessions.searchInterval(),
            () -> {
              if (!closed.get()) {
                environment.executionPool().execute(this::endOrphans);
              }
              return !closed.get();
            });
  }

  @Override
  public CompletableFuture<List<DeviceAttributes>> getStatus(CallOptions options) {
    asked = true;
    return answer(() -> environment.devices().stream().map(LocalDevice::attributes).toList());
  }

  /** Returns whether a master has asked for its devices, as each does before its first session. */
  public boolean isAsked() {
    return asked;
  }

  @Override
  public CompletableFuture<CreateWorkerSessionResponse> createWorkerSession(
      CreateWorkerSessionRequest request, CallOptions options) {
    return answer(
        () -> {
          for (WorkerSession orphan : sessions.create(request)) {
            LOG.info(
                "{}: session {} ends, since its master {} has restarted",
                environment.task(),
                TaskLog.brief(orphan.handle()),
                request.masterTask());
            end(orphan);
          }
          return new CreateWorkerSessionResponse(environment.options().pushesTensors());
        });
  }

  @Override
  public CompletableFuture<Void> deleteWorkerSession(String sessionHandle, CallOptions options) {
    return perform(() -> sessions.remove(sessionHandle).ifPresent(this::end));
  }

  @Override
  public CompletableFuture<String> registerGraph(
      RegisterGraphRequest request, CallOptions options) {
    return call(
        () -> {
          WorkerSession session =
              sessions.session(request.sessionHandle(), request.createWorkerSessionCalled());
          return onPool(
              () ->
                  session.register(
                      request.graph(),
                      request.graphBytes(),
                      RewriteChoice.of(request.config().getGraphOptions()),
                      request.collectiveGraphKey()));
        });
  }

  @Override
  public CompletableFuture<Void> deregisterGraph(
      String sessionHandle, String graphHandle, CallOptions options) {
    return perform(
        () -> sessions.session(sessionHandle, !sessionHandle.isEmpty()).deregister(graphHandle));
  }

  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    return call(
        () -> {
          requests.requireNew("RunGraph", request.requestId());
          WorkerSession session =
              sessions.session(request.sessionHandle(), request.createWorkerSessionCalled());
          steps.watch();
          return callers.during(() -> runs.run(session, request, options));
        });
  }

  @Override
  public CompletableFuture<Void> cleanupGraph(long stepId, CallOptions options) {
    return perform(() -> runs.cleanUp(stepId));
  }

  @Override
  public CompletableFuture<Void> cleanupAll(List<String> containers, CallOptions options) {
    List<String> names = containers.isEmpty() ? List.of(ResourceContainers.DEFAULT) : containers;
    return perform(
        () ->
            environment
                .devices()
                .forEach(device -> names.forEach(device.device().resources()::clear)));
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    return call(
        () -> {
          requests.requireNew("RecvTensor", request.requestId());
          return tensors.receive(request, options);
        });
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvBuf(RecvBufRequest request, CallOptions options) {
    return call(
        () -> {
          requests.requireNew("RecvBuf", request.requestId());
          return tensors.receiveChunk(request, options);
        });
  }

  @Override
  public CompletableFuture<CollectiveGroup> completeGroup(
      GroupRequest request, CallOptions options) {
    return call(() -> groups.group(request));
  }

  @Override
  public CompletableFuture<Integer> completeInstance(InstanceRequest request, CallOptions options) {
    return call(() -> groups.instance(request));
  }

  @Override
  public CompletableFuture<Map<Long, Long>> getStepSequence(
      List<Long> graphKeys, CallOptions options) {
    return answer(
        () -> {
          if (!collectives.isLeader()) {
            throw TributaryException.internal(
                "GetStepSequence: %s is not the leader of collectives", environment.task());
          }
          return sequences.next(graphKeys);
        });
  }

  @Override
  public CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options) {
    return perform(
        () -> {
          WorkerSession session = sessionOf(request);
          steps.watch();
          callers.during(() -> tensors.take(session, request));
        });
  }

  @Override
  public void lostTensor(PushTensorRequest request, TributaryException reason) {
    perform(
        () -> {
          sessionOf(request);
          steps.watch();
          steps.fail(request.stepId(), reason);
        });
  }

  private WorkerSession sessionOf(PushTensorRequest request) {
    return sessions.session(request.sessionHandle(), !request.sessionHandle().isEmpty());
  }

  /** Nothing is to be done: this worker never keeps a value that it has sent. */
  @Override
  public CompletableFuture<Void> markRecvFinished(long requestId, CallOptions options) {
    return perform(() -> {});
  }

  @Override
  public CompletableFuture<LoggingResponse> logging(LoggingRequest request, CallOptions options) {
    return answer(() -> transfers.answer(request));
  }

  @Override
  public CompletableFuture<Void> tracing(TracingRequest request, CallOptions options) {
    return perform(
        () -> {
          throw TributaryException.unimplemented(
              "Tracing: a profile of the process is not offered; ask for a step's timeline"
                  + " instead");
        });
  }

  @Override
  public CompletableFuture<List<String>> stepWaits(long stepId, CallOptions options) {
    return answer(() -> steps.waits(stepId));
  }

  @Override
  public CompletableFuture<Void> taskCompleted(TaskName task, CallOptions options) {
    return perform(() -> completions.add(task));
  }

  /** Done when all these tasks have reported that their part of the job is done. */
  public CompletableFuture<Void> whenCompleted(Collection<TaskName> tasks) {
    return completions.when(tasks);
  }

  /** Returns how many steps have something here that nobody has cleaned up. */
  public int stepCount() {
    return steps.size();
  }

  /** The parts of steps that have run here, and the calls that have failed. */
  public CallCounters counters() {
    return counters;
  }

  /** The tensors that have gone to and come from other tasks. */
  public Traffic traffic() {
    return traffic;
  }

  /** Returns how many sessions masters have opened here. */
  int sessionCount() {
    return sessions.size();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    search.cancel();
    TributaryException reason = shutDown();
    steps.close(reason);
    runs.close(reason);
    int left = runs.awaitNone(environment.options().closeLimit());
    if (left > 0) {
      LOG.warn(
          "{} closed while {} steps still run: they did not end when they were cancelled",
          environment.task(),
          left);
    }
    sessions.removeAll().forEach(WorkerSession::close);
    environment.devices().forEach(device -> device.device().resources().close());
  }

  /** Ends the sessions whose masters have gone without a word. */
  private void endOrphans() {
    for (OpenSession orphan : sessions.removeOrphans()) {
      LOG.warn(
          "{}: session {} ends, since its master {} has been silent for too long",
          environment.task(),
          TaskLog.brief(orphan.session().handle()),
          orphan.masterTask());
      end(orphan.session());
    }
  }

  private void end(WorkerSession session) {
    runs.abortAll(
        session,
        TributaryException.derived(
            ErrorCode.ABORTED,
            "session " + session.handle() + " on " + environment.task() + " was closed",
            null));
    session.close();
  }

  private CompletableFuture<Void> perform(Runnable action) {
    return answer(
        () -> {
          action.run();
          return null;
        });
  }

  private <T> CompletableFuture<T> answer(Supplier<T> value) {
    return call(() -> CompletableFuture.completedFuture(value.get()));
  }

  /** Does what takes a while away from the thread that calls. */
  private <T> CompletableFuture<T> onPool(Supplier<T> value) {
    CompletableFuture<T> result = new CompletableFuture<>();
    environment
        .executionPool()
        .execute(
            () -> {
              try {
                result.complete(value.get());
              } catch (RuntimeException | Error e) {
                log.failed(e);
                counters.failed(e);
                result.completeExceptionally(canonical(e));
              }
            });
    return result;
  }

  private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> action) {
    try {
      if (closed.get()) {
        throw shutDown();
      }
      return action.get();
    } catch (RuntimeException | Error e) {
      log.failed(e);
      counters.failed(e);
      return CompletableFuture.failedFuture(canonical(e));
    }
  }

  private TributaryException canonical(Throwable failure) {
    return failure instanceof TributaryException
        ? (TributaryException) failure
        : new TributaryException(ErrorCode.INTERNAL, environment.task() + ": " + failure, failure);
  }

  private TributaryException shutDown() {
    return new TributaryException(
        ErrorCode.UNAVAILABLE, "worker " + environment.task() + " is shut down");
  }
}
