package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.PartialRun;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.RunningSteps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
   */
  MasterSession(
      MasterEnvironment environment,
      SessionConfig config,
      SessionGraph graph,
      DeviceCatalogue devices,
      SessionWorkers workers,
      boolean pushes) {
    this.environment = environment;
    this.cluster = workers.cluster();
    this.graph = graph;
    this.devices = devices;
    this.workers = workers;
    StepRunner runner = new StepRunner(environment, cluster.workers(), workers.handle(), pushes);
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
    this.steps = new SessionSteps(environment, config, running, prepared, runner);
    this.partialRuns = new PartialRuns(environment, config, running, prepared, runner);
    this.callables = new Callables(environment, running, prepared, steps);
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

  CompletableFuture<Long> extend(ExtendSessionRequest request, Cancellation caller) {
    StepScope scope = new StepScope(running, Optional.empty(), environment.timer(), caller);
    return CompletableFuture.supplyAsync(
            () -> graph.extend(request.graph(), request.currentGraphVersion()),
            environment.executor())
        .whenComplete((version, thrown) -> scope.close());
  }

  CompletableFuture<String> partialRunSetup(PartialRunSetupRequest request, Cancellation caller) {
    return partialRuns.setUp(request, caller);
  }

  CompletableFuture<RunStepResponse> runStep(RunStepRequest request, Cancellation caller) {
    StepRequest step =
        new StepRequest(
            request.feeds(), distinct(request.fetches()), PartialRun.NONE, request.options());
    if (!request.partialRunHandle().isEmpty()) {
      return partialRuns
          .run(request.partialRunHandle(), step, caller)
          .thenApply(results -> response(step.fetches(), results));
    }
    return steps
        .run(StepKey.of(step.feedNames(), step.fetches(), request.targets()), step, caller)
        .thenApply(results -> response(step.fetches(), results));
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

  private static RunStepResponse response(List<String> fetches, StepResults results) {
    return new RunStepResponse(results.take(fetches), results.metadata());
  }

  private static List<String> distinct(List<String> names) {
    return names.size() < 2 ? names : names.stream().distinct().toList();
  }
}
