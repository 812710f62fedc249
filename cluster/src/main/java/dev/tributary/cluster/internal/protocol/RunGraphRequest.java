package dev.tributary.cluster.internal.protocol;

import dev.tributary.internal.rendezvous.RendezvousKey;
import java.util.ArrayList;
import java.util.List;

/**
 * One step of a registered graph.
 *
 * @param send values to put into the step's rendezvous
 * @param recvKeys what to take out of it at the end
 * @param pushesTensors whether values for other tasks are sent to them unasked, and theirs come so;
 *     the step is then forgotten when it has ended well. Not part of TensorFlow's protocol.
 * @param requestId identifies repeated requests; 0 if they are not to be detected
 */
public record RunGraphRequest(
    String sessionHandle,
    boolean createWorkerSessionCalled,
    String graphHandle,
    long stepId,
    List<KeyedTensor> send,
    List<RendezvousKey> recvKeys,
    ExecutorOptions executorOptions,
    Piece partialRun,
    boolean pushesTensors,
    long requestId) {
  /** The piece of a step that a request runs; {@code NONE} if it runs the whole step. */
  public enum Piece {
    NONE,
    MORE_TO_COME,
    LAST
  }

  /** The records of a step that a worker makes. */
  public record ExecutorOptions(
      boolean recordCosts, boolean recordTimeline, boolean recordPartitionGraphs) {
    public static ExecutorOptions none() {
      return new ExecutorOptions(false, false, false);
    }

    public boolean recordNothing() {
      return !recordCosts && !recordTimeline && !recordPartitionGraphs;
    }
  }

  public RunGraphRequest {
    send = List.copyOf(send);
    recvKeys = List.copyOf(recvKeys);
  }

  /** The same request with references of its own to the values that it sends. */
  public RunGraphRequest holdingSent() {
    if (send.isEmpty()) {
      return this;
    }
    List<KeyedTensor> held = new ArrayList<>(send.size());
    send.forEach(value -> held.add(value.retained()));
    return new RunGraphRequest(
        sessionHandle,
        createWorkerSessionCalled,
        graphHandle,
        stepId,
        held,
        recvKeys,
        executorOptions,
        partialRun,
        pushesTensors,
        requestId);
  }
}
