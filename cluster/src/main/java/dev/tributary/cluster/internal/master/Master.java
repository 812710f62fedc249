package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CollectiveLeader;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.ListTasksRequest;
import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RecentRequests;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.internal.protocol.TaskStatus;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.time.Ticker;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A task's master: keeps the sessions of its clients, and has the workers run their steps. Safe for
 * use by many threads, none of which it blocks.
 */
public final class Master implements MasterInterface, AutoCloseable {
  private static final int RECENT_REQUESTS = 10_000;

  private final MasterEnvironment environment;
  private final TaskLog log;
  private final SessionCatalogue sessions;
  private final RecentRequests requests = new RecentRequests(RECENT_REQUESTS);
  private final Cancellation shutdown = new Cancellation();
  private final CollectiveStepIds collectiveIds = new CollectiveStepIds(this::nextSteps);
  private final Timer.Alarm search;

  public Master(MasterEnvironment environment) {
    this(environment, TaskLog.of(environment.task()));
  }

  public Master(MasterEnvironment environment, TaskLog log) {
    this(environment, log, environment.timer());
  }

  /**
   * @param ticker the clock by which sessions of silent clients end
   */
  Master(MasterEnvironment environment, TaskLog log, Ticker ticker) {
    this.environment = environment;
    this.log = log;
    this.sessions = new SessionCatalogue(environment.ids(), environment.options(), ticker);
    this.search =
        environment
            .timer()
            .every(
                sessions.searchInterval(),
                () -> {
                  environment.executor().execute(this::endSilentSessions);
                  return true;
                });
  }

  @Override
  public CompletableFuture<CreateSessionResponse> createSession(
      CreateSessionRequest request, CallOptions options) {
    return call(
        options,
        scope ->
            sessions
                .add(
                    options,
                    handle ->
                        SessionCreation.create(
                            environment, handle, request, collectiveIds, scope.cancellation()))
                .thenApply(
                    session -> {
                      log.sessionOpened(session.handle(), options.callerName(), sessions.size());
                      return new CreateSessionResponse(session.handle(), 0);
                    }));
  }

  @Override
  public CompletableFuture<Long> extendSession(ExtendSessionRequest request, CallOptions options) {
    return call(options, scope -> sessions.get(request.sessionHandle()).extend(request, scope));
  }

  @Override
  public CompletableFuture<String> partialRunSetup(
      PartialRunSetupRequest request, CallOptions options) {
    return call(
        options,
        scope -> {
          requests.requireNew("PartialRunSetup", request.requestId());
          return sessions.get(request.sessionHandle()).partialRunSetup(request, scope);
        });
  }

  @Override
  public CompletableFuture<RunStepResponse> runStep(RunStepRequest request, CallOptions options) {
    return call(
        options,
        scope -> {
          requests.requireNew("RunStep", request.requestId());
          return sessions.get(request.sessionHandle()).runStep(request, scope);
        });
  }

  @Override
  public CompletableFuture<Void> closeSession(String sessionHandle, CallOptions options) {
    return call(options, scope -> close(sessions.remove(sessionHandle)));
  }

  @Override
  public CompletableFuture<Duration> keepSession(String sessionHandle, CallOptions options) {
    return call(options, scope -> CompletableFuture.completedFuture(sessions.lease(sessionHandle)));
  }

  @Override
  public CompletableFuture<ListDevicesResponse> listDevices(
      String sessionHandle, CallOptions options) {
    return call(
        options,
        scope ->
            sessionHandle.isEmpty()
                ? allDevices(scope.cancellation())
                : CompletableFuture.completedFuture(devicesOf(sessionHandle)));
  }

  @Override
  public CompletableFuture<List<TaskStatus>> listTasks(
      ListTasksRequest request, CallOptions options) {
    return call(
        options,
        scope ->
            TaskStatuses.ask(
                environment, SessionCluster.own(environment), request, scope.cancellation()));
  }

  @Override
  public CompletableFuture<Void> reset(ResetRequest request, CallOptions options) {
    return call(options, scope -> reset(request, scope.cancellation()));
  }

  @Override
  public CompletableFuture<Long> makeCallable(MakeCallableRequest request, CallOptions options) {
    return call(
        options,
        scope -> {
          requests.requireNew("MakeCallable", request.requestId());
          return sessions.get(request.sessionHandle()).callables().make(request.options(), scope);
        });
  }

  @Override
  public CompletableFuture<RunCallableResponse> runCallable(
      RunCallableRequest request, CallOptions options) {
    return call(
        options,
        scope -> {
          requests.requireNew("RunCallable", request.requestId());
          return sessions.get(request.sessionHandle()).callables().run(request, scope);
        });
  }

  @Override
  public CompletableFuture<Void> releaseCallable(
      String sessionHandle, long callableHandle, CallOptions options) {
    return call(
        options,
        scope -> {
          sessions.get(sessionHandle).callables().release(callableHandle);
          return CompletableFuture.completedFuture(null);
        });
  }

  /** Ends all sessions, and waits for that as long as the options say. */
  @Override
  public void close() {
    shutDown().join();
  }

  /** Ends all sessions. Done when they are, or when they had the time that the options give. */
  public CompletableFuture<Void> shutDown() {
    search.cancel();
    shutdown.cancel(new TributaryException(ErrorCode.CANCELLED, "the server stops"));
    return closeAll(sessions.removeAll());
  }

  /** Ends the sessions whose clients have gone without a word. */
  void endSilentSessions() {
    for (SessionCatalogue.SessionUse silent : sessions.removeSilent()) {
      log.sessionAbandoned(silent.session().handle(), sessions.describe(silent), sessions.size());
      silent.session().close();
    }
  }

  private CompletableFuture<Void> reset(ResetRequest request, Cancellation cancellation) {
    DeviceFilters filters = DeviceFilters.parse(request.deviceFilters());
    SessionCluster cluster = SessionCluster.own(environment);
    Collection<MasterSession> dropped = sessions.removeAll();
    Duration limit = environment.options().closeTimeout();
    CallOptions options = CallOptions.cancelledBy(cancellation).within(limit).waitingForReady();
    CompletableFuture<Void> cleared =
        TaskCalls.gather(
                "CleanupAll",
                cluster.workers().tasks().stream().filter(filters::allowsTask).toList(),
                environment.timer(),
                limit,
                task -> cluster.worker(task).cleanupAll(request.containers(), options))
            .thenAccept(done -> {});
    return cleared
        .handle((done, thrown) -> closeAll(dropped))
        .thenCompose(closed -> closed)
        .thenCompose(closed -> cleared);
  }

  private CompletableFuture<Void> closeAll(Collection<MasterSession> dropped) {
    return CompletableFuture.allOf(
        dropped.stream().map(this::close).toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> close(MasterSession session) {
    log.sessionClosed(session.handle(), sessions.size());
    return session.close();
  }

  private ListDevicesResponse devicesOf(String sessionHandle) {
    return sessions
        .find(sessionHandle)
        .orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "Session %s is not found. Possibly, this master has restarted.", sessionHandle))
        .listDevices();
  }

  private CompletableFuture<ListDevicesResponse> allDevices(Cancellation cancellation) {
    SessionCluster cluster = SessionCluster.own(environment);
    DeviceFilters all = new DeviceFilters(List.of());
    return DeviceDiscovery.ask(environment, cluster.workers(), cluster.tasks(all), cancellation)
        .thenApply(
            reported -> {
              DeviceCatalogue devices = DeviceCatalogue.of(cluster.self(), reported, all);
              return new ListDevicesResponse(devices.local(), devices.remote());
            });
  }

  /**
   * Makes a client's call, until the client cancels it, its time is over, or the master is closed.
   * An exception of the method fails the call.
   */
  private <T> CompletableFuture<T> call(
      CallOptions options, Function<CallScope, CompletableFuture<T>> method) {
    CallScope scope =
        new CallScope(environment.timer())
            .follow(options.cancellation(), shutdown)
            .within(options.timeout(), () -> "the call");
    CompletableFuture<T> running;
    try {
      running = method.apply(scope);
    } catch (RuntimeException e) {
      running = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    running.whenComplete(
        (value, thrown) -> {
          scope.close();
          if (thrown == null) {
            result.complete(value);
          } else {
            log.failed(thrown);
            result.completeExceptionally(Failures.of(thrown));
          }
        });
    return result;
  }

  /** Asks the leader of collectives for the ids of the next steps of graphs. */
  private CompletableFuture<Map<Long, Long>> nextSteps(List<Long> graphKeys) {
    Workers cluster = environment.addressBooks().ownCluster();
    TaskName leader =
        CollectiveLeader.configured(environment.defaultSessionConfig())
            .orElseGet(() -> CollectiveLeader.usual(cluster));
    return cluster
        .worker(leader)
        .getStepSequence(
            graphKeys,
            CallOptions.defaults().within(environment.options().callTimeout()).waitingForReady());
  }
}
