package dev.tributary.cluster.internal.protocol;

import java.util.Map;
import org.tensorflow.proto.StepStats;

/** The transfers of the steps that were asked for. */
public record LoggingResponse(Map<Long, StepStats> steps) {
  public LoggingResponse {
    steps = Map.copyOf(steps);
  }
}
