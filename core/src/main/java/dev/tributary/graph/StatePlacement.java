package dev.tributary.graph;

/**
 * The task of variables and other shared state for which nobody asks for a task: variables and
 * mutable tables, and queues and accumulators that have a shared name.
 */
public enum StatePlacement {
  /**
   * The first task of the cluster, which is the first of the job {@code ps} if there is one; if the
   * job is asked for, the first task of that job. Sessions at different servers share such state.
   */
  FIRST_TASK,
  /** The task of the session's master, as in TensorFlow 2.18: each server has its own. */
  MASTER_TASK
}
