package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.RunOptions;

/** The calls that a client makes to its master. */
record SessionCalls(MasterInterface master, SeededIds ids) {
  private static final CallOptions LIMITED = CallOptions.defaults().within(Duration.ofSeconds(60));

  CompletableFuture<String> open() {
    return master
        .createSession(
            new CreateSessionRequest(CountingGraph.DEF, ConfigProto.getDefaultInstance(), ""),
            LIMITED)
        .thenApply(response -> response.sessionHandle());
  }

  CompletableFuture<Void> close(String session) {
    return master.closeSession(session, LIMITED);
  }

  CompletableFuture<Map<String, Float>> run(
      String session, List<String> targets, List<String> fetches, CallOptions options) {
    return run(session, "", Map.of(), targets, fetches, RunOptions.getDefaultInstance(), options);
  }

  /** A step, or a piece of a partial one if that is named; gives what was fetched. */
  CompletableFuture<Map<String, Float>> run(
      String session,
      String partialRun,
      Map<String, Float> feeds,
      List<String> targets,
      List<String> fetches,
      RunOptions runOptions,
      CallOptions options) {
    List<NamedTensor> fed =
        feeds.entrySet().stream()
            .map(
                feed ->
                    new NamedTensor(
                        feed.getKey(), SharedTensors.take(Tensor.scalar(feed.getValue()))))
            .toList();
    RunStepRequest request =
        new RunStepRequest(session, fed, fetches, targets, runOptions, partialRun, ids.next());
    return master
        .runStep(request, options)
        .whenComplete((response, thrown) -> fed.forEach(feed -> feed.tensor().close()))
        .thenApply(SessionCalls::values);
  }

  CompletableFuture<String> partialRun(String session, List<String> feeds, List<String> fetches) {
    return master.partialRunSetup(
        new PartialRunSetupRequest(session, feeds, fetches, List.of(), ids.next()),
        CallOptions.defaults());
  }

  private static Map<String, Float> values(RunStepResponse response) {
    try {
      return response.tensors().stream()
          .collect(Collectors.toMap(NamedTensor::name, fetched -> fetched.tensor().floatValue()));
    } finally {
      MessageTensors.release(response);
    }
  }
}
