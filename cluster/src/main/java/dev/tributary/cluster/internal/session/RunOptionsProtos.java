package dev.tributary.cluster.internal.session;

import dev.tributary.internal.session.wire.StepStatsProtos;
import dev.tributary.session.RunOptions;
import dev.tributary.trace.StepTrace;
import java.util.Optional;
import org.tensorflow.proto.RunMetadata;

/** Settings of a step as a master reads them, and what it records in return. */
final class RunOptionsProtos {
  private RunOptionsProtos() {}

  static org.tensorflow.proto.RunOptions toProto(RunOptions options) {
    org.tensorflow.proto.RunOptions.Builder proto = org.tensorflow.proto.RunOptions.newBuilder();
    // 0 would mean no limit.
    options.timeout().ifPresent(limit -> proto.setTimeoutInMs(Math.max(1, limit.toMillis())));
    if (options.trace()) {
      proto.setTraceLevel(org.tensorflow.proto.RunOptions.TraceLevel.FULL_TRACE);
    }
    return proto.build();
  }

  static Optional<StepTrace> trace(RunOptions options, RunMetadata metadata) {
    return options.trace()
        ? Optional.of(StepStatsProtos.fromProto(metadata.getStepStats()))
        : Optional.empty();
  }
}
