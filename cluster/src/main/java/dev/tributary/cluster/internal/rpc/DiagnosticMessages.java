package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto.LabeledStepStats;
import java.util.HashMap;
import java.util.Map;
import org.tensorflow.proto.StepStats;

/** Messages about what a worker records. */
final class DiagnosticMessages {
  static final Codec<LoggingRequest> LOGGING =
      Codec.of(
          WorkerProto.LoggingRequest.getDefaultInstance(),
          request ->
              WorkerProto.LoggingRequest.newBuilder()
                  .setEnableRpcLogging(request.enable())
                  .setDisableRpcLogging(request.disable())
                  .setClear(request.clear())
                  .addAllFetchStepId(request.fetchSteps())
                  .build(),
          message ->
              new LoggingRequest(
                  message.getEnableRpcLogging(),
                  message.getDisableRpcLogging(),
                  message.getClear(),
                  message.getFetchStepIdList()));

  static final Codec<LoggingResponse> LOGGED =
      Codec.of(
          WorkerProto.LoggingResponse.getDefaultInstance(),
          DiagnosticMessages::toMessage,
          DiagnosticMessages::fromMessage);

  static final Codec<TracingRequest> TRACING =
      Codec.of(
          WorkerProto.TracingRequest.getDefaultInstance(),
          request ->
              WorkerProto.TracingRequest.newBuilder()
                  .setOptions(
                      WorkerProto.TraceOpts.newBuilder().setDuration(request.durationSeconds()))
                  .build(),
          message -> new TracingRequest(message.getOptions().getDuration()));

  private DiagnosticMessages() {}

  private static WorkerProto.LoggingResponse toMessage(LoggingResponse response) {
    WorkerProto.LoggingResponse.Builder message = WorkerProto.LoggingResponse.newBuilder();
    response
        .steps()
        .forEach(
            (step, stats) ->
                message.addStep(
                    LabeledStepStats.newBuilder()
                        .setStepId(step)
                        .setStepStats(stats.toByteString())));
    return message.build();
  }

  private static LoggingResponse fromMessage(WorkerProto.LoggingResponse message) {
    Map<Long, StepStats> steps = new HashMap<>();
    for (LabeledStepStats step : message.getStepList()) {
      steps.put(step.getStepId(), Wire.copy(StepStats.getDefaultInstance(), step.getStepStats()));
    }
    return new LoggingResponse(steps);
  }
}
