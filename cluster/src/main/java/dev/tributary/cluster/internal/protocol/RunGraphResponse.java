package dev.tributary.cluster.internal.protocol;

import java.util.List;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.StepStats;

/**
 * The values and records of a step.
 *
 * @param received a tensor for each key that was asked for, in any order
 * @param stepStats when nodes ran, if that was asked for
 */
public record RunGraphResponse(
    List<KeyedTensor> received, StepStats stepStats, List<GraphDef> partitionGraphs) {
  public RunGraphResponse {
    received = List.copyOf(received);
    partitionGraphs = List.copyOf(partitionGraphs);
  }
}
