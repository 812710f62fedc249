package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.train.hook.SessionRunHook;
import java.time.Duration;

/** A worker's training among others, as it was added to a graph. */
interface Replication {
  /** One training step of this worker. */
  Operation train();

  Staleness staleness();

  SessionRunHook chiefHook(Duration endWait);

  SessionRunHook workerHook();
}
