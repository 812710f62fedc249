package dev.tributary.cluster.worker;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs that are fed and fetched piece by piece, by step, until their last piece, or until the
 * step is cleaned up or its session ends. Safe for use by many threads.
 */
final class PartialRuns {
  private final Map<Long, WorkerRun> byStep = new ConcurrentHashMap<>();

  Optional<WorkerRun> find(long stepId) {
    return Optional.ofNullable(byStep.get(stepId));
  }

  /** The step's run: this one, if there is none yet. */
  WorkerRun findOrAdd(long stepId, WorkerRun run) {
    WorkerRun known = byStep.putIfAbsent(stepId, run);
    return known != null ? known : run;
  }

  void forget(long stepId) {
    byStep.remove(stepId);
  }

  void forgetAll(WorkerSession session) {
    byStep.values().removeIf(run -> run.isOf(session));
  }
}
