package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.spec.TaskName;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflow.proto.GraphDef;

/**
 * The plan of a kind of step. Immutable.
 *
 * @param partitions each task's part, in the order of tasks
 */
record StepPlan(
    RegisteredStep.Ends ends, CollectiveSteps collectives, Map<TaskName, GraphDef> partitions) {
  StepPlan {
    partitions = Collections.unmodifiableMap(new TreeMap<>(partitions));
  }
}
