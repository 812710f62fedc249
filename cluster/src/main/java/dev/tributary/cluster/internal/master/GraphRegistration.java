package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.ConfigProto;

/** Makes workers ready for their parts of a session's steps. Immutable. */
record GraphRegistration(
    MasterEnvironment environment,
    SessionCluster cluster,
    String sessionHandle,
    ConfigProto config) {
  private static final Logger LOG = LoggerFactory.getLogger(GraphRegistration.class);

  /** Has every task register its part. If one refuses, the others forget theirs. */
  CompletableFuture<RegisteredStep> register(StepPlan plan) {
    Duration limit = environment.options().callTimeout();
    CallOptions options = CallOptions.defaults().within(limit);
    Map<TaskName, String> registered = new ConcurrentHashMap<>();
    return TaskCalls.<String>gather(
            "RegisterGraph",
            plan.partitions().keySet(),
            environment.timer(),
            limit,
            task ->
                cluster
                    .worker(task)
                    .registerGraph(
                        new RegisterGraphRequest(
                            sessionHandle,
                            true,
                            plan.partitions().get(task),
                            config,
                            plan.collectives().graphKey()),
                        options)
                    .whenComplete((handle, thrown) -> note(registered, task, handle)))
        .handle(
            (handles, thrown) -> {
              RegisteredStep step =
                  new RegisteredStep(plan.ends(), plan.collectives(), partitions(registered));
              if (thrown != null) {
                deregister(step);
                throw Failures.of(thrown);
              }
              return step;
            });
  }

  /** Lets the workers forget a step that runs no more. */
  void deregister(RegisteredStep step) {
    CallOptions options = CallOptions.defaults().within(environment.options().closeTimeout());
    for (RegisteredStep.Partition partition : step.partitions()) {
      partition
          .worker()
          .deregisterGraph(sessionHandle, partition.graphHandle(), options)
          .exceptionally(thrown -> logged(partition.task(), Failures.of(thrown)));
    }
  }

  private static void note(Map<TaskName, String> registered, TaskName task, String handle) {
    if (handle != null) {
      registered.put(task, handle);
    }
  }

  private List<RegisteredStep.Partition> partitions(Map<TaskName, String> handles) {
    List<RegisteredStep.Partition> partitions = new ArrayList<>();
    handles.forEach(
        (task, handle) ->
            partitions.add(
                new RegisteredStep.Partition(
                    task, cluster.worker(task), handle, task.equals(cluster.self()))));
    // The own part last: what runs at once on this thread must not keep others from starting.
    partitions.sort(Comparator.comparing(RegisteredStep.Partition::client));
    return partitions;
  }

  private static Void logged(TaskName task, TributaryException failure) {
    LOG.debug("a graph may be left on {}: {}", task, failure.toString());
    return null;
  }
}
