package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.WorkerInterface;

/** A worker that is called without a wire. */
class InProcessWorkerTest extends WorkerContract {
  @Override
  WorkerInterface connect(Worker local) {
    return local;
  }
}
