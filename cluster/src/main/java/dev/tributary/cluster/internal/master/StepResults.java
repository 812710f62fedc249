package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.RunMetadata;

/**
 * The values that workers returned for a step. It owns the tensors until they are taken, once.
 * Confined to the thread that ends the step.
 */
final class StepResults {
  private final List<RendezvousKey> fetchKeys;
  private final Map<RendezvousKey, Tensor> byKey = new HashMap<>();
  private final List<RunGraphResponse> responses;

  /**
   * @param fetchKeys where the step's rendezvous had what the client fetches, in its order
   */
  StepResults(List<RendezvousKey> fetchKeys, List<RunGraphResponse> responses) {
    this.fetchKeys = fetchKeys;
    this.responses = responses;
    for (RunGraphResponse response : responses) {
      for (KeyedTensor received : response.received()) {
        Tensor other = byKey.put(received.key(), received.tensor());
        if (other != null) {
          other.close();
        }
      }
    }
  }

  /**
   * Returns the fetches of the client, in its order. The caller gets a reference for each, also
   * where one tensor comes twice; what nobody asked for is released.
   */
  List<Tensor> take() {
    List<Tensor> taken = new ArrayList<>(fetchKeys.size());
    try {
      for (RendezvousKey key : fetchKeys) {
        Tensor tensor = byKey.get(key);
        if (tensor == null) {
          taken.forEach(Tensor::close);
          throw TributaryException.internal(
              "the worker gave no value for %s, it gave %s", key, byKey.keySet());
        }
        taken.add(tensor.retain());
      }
      return taken;
    } finally {
      byKey.values().forEach(Tensor::close);
    }
  }

  /** Returns the fetches of the client, by its names for them. */
  List<NamedTensor> take(List<String> names) {
    List<Tensor> tensors = take();
    List<NamedTensor> named = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      named.add(new NamedTensor(names.get(i), tensors.get(i)));
    }
    return named;
  }

  /** Returns the records of the workers. */
  RunMetadata metadata() {
    return hasRecords() ? recorded() : RunMetadata.getDefaultInstance();
  }

  private boolean hasRecords() {
    for (RunGraphResponse response : responses) {
      if (response.stepStats().getDevStatsCount() > 0 || !response.partitionGraphs().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private RunMetadata recorded() {
    RunMetadata.Builder metadata = RunMetadata.newBuilder();
    for (RunGraphResponse response : responses) {
      if (response.stepStats().getDevStatsCount() > 0) {
        metadata.getStepStatsBuilder().addAllDevStats(response.stepStats().getDevStatsList());
      }
      metadata.addAllPartitionGraphs(response.partitionGraphs());
    }
    return metadata.build();
  }
}
