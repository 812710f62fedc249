package dev.tributary.cluster.internal.protocol;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.collective.CollectiveGroup;
import dev.tributary.internal.collective.GroupRequest;
import dev.tributary.internal.collective.InstanceRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.tensorflow.proto.DeviceAttributes;

/**
 * A worker, wherever it is. Calls return at once; a future fails with a TributaryException, whose
 * code and derived mark survive the way between processes. Safe for use by many threads.
 *
 * <p>Tensors of a request are borrowed until its future is done; tensors of a response belong to
 * whoever receives it.
 */
public interface WorkerInterface extends StepTransport {
  /** Returns the devices of the task. An answer also shows that it is up. */
  CompletableFuture<List<DeviceAttributes>> getStatus(CallOptions options);

  CompletableFuture<CreateWorkerSessionResponse> createWorkerSession(
      CreateWorkerSessionRequest request, CallOptions options);

  /** Unknown sessions are no error. */
  CompletableFuture<Void> deleteWorkerSession(String sessionHandle, CallOptions options);

  /** Makes a partition ready to run; gives its handle. */
  CompletableFuture<String> registerGraph(RegisterGraphRequest request, CallOptions options);

  CompletableFuture<Void> deregisterGraph(
      String sessionHandle, String graphHandle, CallOptions options);

  /** Drops what is left of a step; unknown steps are no error. */
  CompletableFuture<Void> cleanupGraph(long stepId, CallOptions options);

  /** Clears these containers on all devices; the default one if none is named. */
  CompletableFuture<Void> cleanupAll(List<String> containers, CallOptions options);

  /** Tells that a value has arrived whose sender kept it until then. */
  CompletableFuture<Void> markRecvFinished(long requestId, CallOptions options);

  /** Makes a device a member of a group of collectives; answered when all members have come. */
  default CompletableFuture<CollectiveGroup> completeGroup(
      GroupRequest request, CallOptions options) {
    return CompletableFuture.failedFuture(noCollectives());
  }

  /**
   * Compares a member's idea of a collective with those of others. Gives the rank of a broadcast's
   * source, -1 for other collectives.
   */
  default CompletableFuture<Integer> completeInstance(
      InstanceRequest request, CallOptions options) {
    return CompletableFuture.failedFuture(noCollectives());
  }

  /** Returns the id of the next step of each of these graphs with collectives, by its key. */
  default CompletableFuture<Map<Long, Long>> getStepSequence(
      List<Long> graphKeys, CallOptions options) {
    return CompletableFuture.failedFuture(noCollectives());
  }

  private static TributaryException noCollectives() {
    return TributaryException.unimplemented("this worker takes no part in collectives");
  }

  CompletableFuture<LoggingResponse> logging(LoggingRequest request, CallOptions options);

  CompletableFuture<Void> tracing(TracingRequest request, CallOptions options);

  /**
   * Lists the values that this task's part of a step waits for from other tasks, one a line. Not
   * part of TensorFlow's protocol: UNIMPLEMENTED where a task does not tell.
   */
  default CompletableFuture<List<String>> stepWaits(long stepId, CallOptions options) {
    return CompletableFuture.failedFuture(
        TributaryException.unimplemented("this worker does not tell what its steps wait for"));
  }

  /**
   * Tells that another task's part of the job is done. Not part of TensorFlow's protocol:
   * UNIMPLEMENTED where nobody listens.
   */
  default CompletableFuture<Void> taskCompleted(TaskName task, CallOptions options) {
    return CompletableFuture.failedFuture(
        TributaryException.unimplemented("this worker does not wait for other tasks"));
  }
}
