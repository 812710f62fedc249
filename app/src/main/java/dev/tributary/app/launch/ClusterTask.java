package dev.tributary.app.launch;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;

/** A task and the cluster that it belongs to. */
public record ClusterTask(ClusterSpec cluster, TaskName task) {}
