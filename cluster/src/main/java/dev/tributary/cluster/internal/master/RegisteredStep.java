package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.TaskName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A kind of step that its workers are ready to run. Immutable. */
record RegisteredStep(StepPlan.Ends ends, List<Partition> partitions) {
  /**
   * A worker's part.
   *
   * @param graphHandle what the worker calls it
   * @param client whether fed values come in and fetched ones go out here
   */
  record Partition(TaskName task, WorkerInterface worker, String graphHandle, boolean client) {}

  RegisteredStep {
    partitions = List.copyOf(partitions);
  }

  /** Who runs a part of it. */
  Map<TaskName, WorkerInterface> workers() {
    Map<TaskName, WorkerInterface> workers = new HashMap<>();
    partitions.forEach(partition -> workers.put(partition.task(), partition.worker()));
    return workers;
  }
}
