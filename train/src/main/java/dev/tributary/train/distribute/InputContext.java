package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;

/**
 * The facts that a program needs to build the input of one worker: TensorFlow's context of that
 * name.
 *
 * @param numInputPipelines the number of workers, each of which reads its own input
 * @param inputPipelineId the number of this one
 */
public record InputContext(int numInputPipelines, int inputPipelineId, int numReplicasInSync) {
  /** Returns the batch size of one replica; fails if the replicas cannot have equal ones. */
  public long perReplicaBatchSize(long globalBatchSize) {
    if (globalBatchSize % numReplicasInSync != 0) {
      throw TributaryException.invalidArgument(
          "the global batch size %d cannot be divided by the number of replicas %d",
          globalBatchSize, numReplicasInSync);
    }
    return globalBatchSize / numReplicasInSync;
  }
}
