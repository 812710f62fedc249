package dev.tributary.cluster.internal.protocol;

import dev.tributary.tensor.Tensor;
import java.util.List;
import org.tensorflow.proto.RunMetadata;

/** What a callable fetched, in the order in which its options name it. */
public record RunCallableResponse(List<Tensor> fetches, RunMetadata metadata) {
  public RunCallableResponse {
    fetches = List.copyOf(fetches);
  }
}
