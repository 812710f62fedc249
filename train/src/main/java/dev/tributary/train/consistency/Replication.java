package dev.tributary.train.consistency;

import dev.tributary.graph.Operation;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.staleness.Staleness;
import java.time.Duration;

/** A worker's training among others, as it was added to a graph. */
interface Replication {
  /** One training step of this worker. */
  Operation train();

  Staleness staleness();

  SessionRunHook chiefHook(Duration endWait);

  SessionRunHook workerHook();
}
