package dev.tributary.cluster.internal.protocol;

import java.util.List;
import org.tensorflow.proto.RunMetadata;

/** The tensors that were fetched, in any order, and what was recorded of the step. */
public record RunStepResponse(List<NamedTensor> tensors, RunMetadata metadata) {
  public RunStepResponse {
    tensors = List.copyOf(tensors);
  }
}
