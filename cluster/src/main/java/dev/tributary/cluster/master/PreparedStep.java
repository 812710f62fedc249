package dev.tributary.cluster.master;

import java.util.concurrent.CompletableFuture;

/**
 * A place among the {@link PreparedSteps} of a session. Its counts are guarded by their monitor.
 */
final class PreparedStep {
  final StepKey key;

  /** Done when all workers are ready, or one has refused. */
  final CompletableFuture<RegisteredStep> registered = new CompletableFuture<>();

  int users;
  boolean dropped;

  PreparedStep(StepKey key) {
    this.key = key;
  }
}
