package dev.tributary.cluster.internal.protocol;

import dev.tributary.tensor.Tensor;
import java.util.List;
import org.tensorflow.proto.RunMetadata;

/** The fetches of a callable, in the order of its options. */
public record RunCallableResponse(List<Tensor> fetches, RunMetadata metadata) {
  public RunCallableResponse {
    fetches = List.copyOf(fetches);
  }
}
