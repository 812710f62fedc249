package dev.tributary.train.consistency;

import dev.tributary.graph.Operation;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.staleness.Staleness;
import dev.tributary.train.sync.SyncOperations;
import dev.tributary.train.sync.SyncReplicasHook;
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
