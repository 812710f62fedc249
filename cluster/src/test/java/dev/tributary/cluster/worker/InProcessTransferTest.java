package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.WorkerInterface;

/** Workers that call each other without a wire. */
class InProcessTransferTest extends TransferContract {
  @Override
  WorkerInterface connect(Worker local) {
    return local;
  }
}
