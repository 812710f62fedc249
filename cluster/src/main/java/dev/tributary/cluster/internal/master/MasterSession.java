package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.RunningSteps;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.DeviceAttributes;

/**
 * A client's session: its graph, its part of the cluster, and its steps. Owns all of them. Safe for
 * use by many threads.
 */
final class MasterSession {
  private static final Logger LOG = LoggerFactory.getLogger(MasterSession.class);

  private final MasterEnvironment environment;
  private final SessionCluster cluster;
  private final SessionGraph graph;
  private final DeviceCatalogue devices;
  private final SessionWorkers workers;
  private final RunningSteps running = new RunningSteps();
  private final SessionSteps steps;
  private final PartialRuns partialRuns;
  private final Callables callables;

  /**
   * @param pushes whether all workers can send values to each other unasked
   * @param collectiveIds the ids of steps that other masters run parts of
   */
  MasterSession(
      MasterEnvironment environment,
      SessionConfig config,
      SessionGraph graph,
      DeviceCatalogue devices,
      SessionWorkers workers,
      boolean pushes,
      CollectiveStepIds collectiveIds) {
    this.environment = environment;
    this.cluster = workers.cluster();
    this.graph = graph;
    this.devices = devices;
    this.workers = workers;
    StepPlanner planner = new StepPlanner(graph, devices);
    GraphRegistration registration =
        new GraphRegistration(environment, cluster, workers.handle(), config.proto());
    PreparedSteps<StepKey, RegisteredStep> prepared =
        new PreparedSteps<>(
            environment.options().mostPreparedSteps(),
            key ->
                CompletableFuture.supplyAsync(() -> planner.plan(key), environment.executor())
                    .thenCompose(registration::register),
            registration::deregister);
    this.steps =
        new SessionSteps(
            environment,
            cluster.workers(),
            workers.handle(),
            config.stepTimeout().orElse(environment.options().stepTimeout()),
            pushes,
            collectiveIds,
            running,
            prepared);
    this.partialRuns = new PartialRuns(running, steps);
    this.callables = new Callables(steps);
  }

  String handle() {
    return workers.handle();
  }

  /** Returns whether a step runs. */
  boolean isBusy() {
    return running.count() > 0;
  }

  Callables callables() {
    return callables;
  }

  CompletableFuture<Long> extend(ExtendSessionRequest request, CallScope scope) {
    running.begin(scope.cancellation());
    return CompletableFuture.supplyAsync(
            () -> graph.extend(request.graph(), request.currentGraphVersion()),
            environment.executor())
        .whenComplete((version, thrown) -> running.end(scope.cancellation()));
  }

  CompletableFuture<String> partialRunSetup(PartialRunSetupRequest request, CallScope scope) {
    return partialRuns.setUp(request, scope);
  }

  CompletableFuture<RunStepResponse> runStep(RunStepRequest request, CallScope scope) {
    RunStepRequest step = withDistinctFetches(request);
    CompletableFuture<StepResults> results =
        step.partialRunHandle().isEmpty()
            ? steps.run(StepKey.of(step.feedNames(), step.fetches(), step.targets()), step, scope)
            : partialRuns.run(step, scope);
    return results.thenApply(
        values -> new RunStepResponse(values.take(step.fetches()), values.metadata()));
  }

  /** A stock master counts all devices as local, unless the client described the cluster. */
  ListDevicesResponse listDevices() {
    if (cluster.described().isEmpty()) {
      return new ListDevicesResponse(devices.all(), List.of());
    }
    DeviceAttributes client = devices.clientDevice();
    return new ListDevicesResponse(
        List.of(client), devices.all().stream().filter(d -> !d.equals(client)).toList());
  }

  /**
   * Cancels all steps, waits for them for half of the close timeout, and has the workers free what
   * they hold in the other half. Never fails.
   */
  CompletableFuture<Void> close() {
    Duration half = environment.options().closeTimeout().dividedBy(2);
    CompletableFuture<Void> ended =
        running.close(
            () -> TributaryException.failedPrecondition("Session is closed."),
            new TributaryException(
                ErrorCode.CANCELLED,
                "Step was cancelled by an explicit call to `Session::Close()`."));
    return environment
        .timer()
        .limit(ended, half, () -> new IllegalStateException("some of its steps have not ended"))
        .handle((done, thrown) -> thrown)
        .thenCompose(
            thrown -> {
              if (thrown != null) {
                LOG.warn("session {} is closed, but {}", handle(), thrown.getMessage());
              }
              return workers.delete(half);
            })
        .whenComplete(
            (done, thrown) -> {
              graph.close();
              cluster.close();
            });
  }

  private static RunStepRequest withDistinctFetches(RunStepRequest request) {
    if (request.fetches().size() < 2) {
      return request;
    }
    List<String> distinct = request.fetches().stream().distinct().toList();
    return distinct.size() == request.fetches().size()
        ? request
        : new RunStepRequest(
            request.sessionHandle(),
            request.feeds(),
            distinct,
            request.targets(),
            request.options(),
            request.partialRunHandle(),
            request.requestId());
  }
}
