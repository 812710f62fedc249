package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.ListTasksRequest;
import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.TaskStatus;
import dev.tributary.cluster.internal.rpc.CallableMessages.CallableName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import dev.tributary.security.ChannelSecurity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A master in another process. Calls that find it UNAVAILABLE are tried again a few times. Owns its
 * channel and threads; {@link #close} ends calls that are under way.
 */
public final class GrpcMaster implements MasterInterface, AutoCloseable {
  private final RpcThreads threads;
  private final Peer peer;
  private final Retry retry;

  /** In plain text. Connects when it is first called. */
  public GrpcMaster(String hostPort, Duration silenceLimit) {
    this(hostPort, ChannelSecurity.none(), silenceLimit);
  }

  /**
   * Connects when it is first called.
   *
   * @param silenceLimit after how much silence a master that calls wait for counts as lost
   */
  public GrpcMaster(String hostPort, ChannelSecurity security, Duration silenceLimit) {
    CallerSecurity secured = CallerSecurity.of(security); // May fail: no threads before.
    this.threads = new RpcThreads();
    this.peer =
        new Peer("the master", hostPort, threads, secured, TaskMemory.unlimited(), silenceLimit);
    this.retry = new Retry(threads.timer(), peer::isLost);
  }

  /** Does things later, until this is closed. */
  public Timer timer() {
    return threads.timer();
  }

  /**
   * Asks for a sign of life, once. Done if a gRPC server answers, whatever it says: stock
   * TensorFlow has no such service. UNAVAILABLE or DEADLINE_EXCEEDED if it cannot be reached,
   * another code if trying again will not help; the message does not name the master.
   */
  public CompletableFuture<Void> check(CallOptions options) {
    return peer.check(options)
        .exceptionallyCompose(
            thrown -> {
              TributaryException failure = Statuses.toException(thrown);
              return failure.code() == ErrorCode.UNIMPLEMENTED
                  ? CompletableFuture.completedFuture(null)
                  : CompletableFuture.failedFuture(peer.withoutName(failure));
            });
  }

  @Override
  public CompletableFuture<CreateSessionResponse> createSession(
      CreateSessionRequest request, CallOptions options) {
    return call(MasterService.CREATE_SESSION, request, options);
  }

  @Override
  public CompletableFuture<Long> extendSession(ExtendSessionRequest request, CallOptions options) {
    return call(MasterService.EXTEND_SESSION, request, options);
  }

  @Override
  public CompletableFuture<String> partialRunSetup(
      PartialRunSetupRequest request, CallOptions options) {
    return call(MasterService.PARTIAL_RUN_SETUP, request, options);
  }

  @Override
  public CompletableFuture<RunStepResponse> runStep(RunStepRequest request, CallOptions options) {
    return call(MasterService.RUN_STEP, ErrorsInBody.allowed(request), options)
        .thenApply(Outcome::orThrow);
  }

  @Override
  public CompletableFuture<Void> closeSession(String sessionHandle, CallOptions options) {
    return call(MasterService.CLOSE_SESSION, sessionHandle, options);
  }

  @Override
  public CompletableFuture<ListDevicesResponse> listDevices(
      String sessionHandle, CallOptions options) {
    return call(MasterService.LIST_DEVICES, sessionHandle, options);
  }

  @Override
  public CompletableFuture<List<TaskStatus>> listTasks(
      ListTasksRequest request, CallOptions options) {
    return call(TaskService.LIST_TASKS, request, options);
  }

  @Override
  public CompletableFuture<Duration> keepSession(String sessionHandle, CallOptions options) {
    return call(TaskService.KEEP_SESSION, sessionHandle, options);
  }

  @Override
  public CompletableFuture<Void> reset(ResetRequest request, CallOptions options) {
    return call(MasterService.RESET, request, options);
  }

  @Override
  public CompletableFuture<Long> makeCallable(MakeCallableRequest request, CallOptions options) {
    return call(MasterService.MAKE_CALLABLE, request, options);
  }

  @Override
  public CompletableFuture<RunCallableResponse> runCallable(
      RunCallableRequest request, CallOptions options) {
    return call(MasterService.RUN_CALLABLE, request, options);
  }

  @Override
  public CompletableFuture<Void> releaseCallable(
      String sessionHandle, long callableHandle, CallOptions options) {
    return call(
        MasterService.RELEASE_CALLABLE, new CallableName(sessionHandle, callableHandle), options);
  }

  @Override
  public void close() {
    peer.close();
    threads.close();
  }

  private <Q, R> CompletableFuture<R> call(Rpc<Q, R> rpc, Q request, CallOptions options) {
    return retry
        .call(attempt -> peer.call(rpc, request, attempt), options)
        .exceptionallyCompose(thrown -> CompletableFuture.failedFuture(peer.explain(thrown)));
  }
}
