package dev.tributary.cluster.internal.protocol;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A master, wherever it is. Calls return at once; a future fails with a TributaryException, whose
 * code survives the way between processes. Safe for use by many threads.
 *
 * <p>Tensors of a request are borrowed until its future is done; tensors of a response belong to
 * whoever receives it.
 */
public interface MasterInterface {
  CompletableFuture<CreateSessionResponse> createSession(
      CreateSessionRequest request, CallOptions options);

  /** Adds nodes to a session's graph; gives its new version. */
  CompletableFuture<Long> extendSession(ExtendSessionRequest request, CallOptions options);

  /** Begins a step that is fed and fetched piece by piece; gives its handle. */
  CompletableFuture<String> partialRunSetup(PartialRunSetupRequest request, CallOptions options);

  CompletableFuture<RunStepResponse> runStep(RunStepRequest request, CallOptions options);

  CompletableFuture<Void> closeSession(String sessionHandle, CallOptions options);

  /**
   * Says that the client of a session is there. With the first such call the session gets a lease:
   * it ends soon if they stop. Gives the length of the lease. Not part of TensorFlow's protocol:
   * UNIMPLEMENTED where a master does not know it.
   */
  default CompletableFuture<Duration> keepSession(String sessionHandle, CallOptions options) {
    return CompletableFuture.failedFuture(
        TributaryException.unimplemented("this master gives no leases"));
  }

  /** The devices of a session, or of the whole cluster if the handle is empty. */
  CompletableFuture<ListDevicesResponse> listDevices(String sessionHandle, CallOptions options);

  /**
   * The tasks of the cluster, those that are down among them. Done soon after the request's limit.
   * Not part of TensorFlow's protocol: UNIMPLEMENTED where a master does not know it.
   */
  default CompletableFuture<List<TaskStatus>> listTasks(
      ListTasksRequest request, CallOptions options) {
    return CompletableFuture.failedFuture(
        TributaryException.unimplemented("this master does not list its tasks"));
  }

  /** Ends all sessions and clears containers. */
  CompletableFuture<Void> reset(ResetRequest request, CallOptions options);

  /** Makes a kind of step ready; gives its handle. */
  CompletableFuture<Long> makeCallable(MakeCallableRequest request, CallOptions options);

  CompletableFuture<RunCallableResponse> runCallable(
      RunCallableRequest request, CallOptions options);

  CompletableFuture<Void> releaseCallable(
      String sessionHandle, long callableHandle, CallOptions options);
}
