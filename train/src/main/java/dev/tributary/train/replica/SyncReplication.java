package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.train.hook.SessionRunHook;
import java.time.Duration;

/** Training in which the gradients of many workers make each step together. */
record SyncReplication(Operation train, SyncOperations operations) implements Replication {
  @Override
  public Staleness staleness() {
    return operations.staleness();
  }

  @Override
  public SessionRunHook chiefHook(Duration endWait) {
    return SyncReplicasHook.chief(operations, endWait);
  }

  @Override
  public SessionRunHook workerHook() {
    return SyncReplicasHook.worker(operations);
  }
}
