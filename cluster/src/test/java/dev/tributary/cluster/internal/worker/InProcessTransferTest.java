package dev.tributary.cluster.internal.worker;

class InProcessTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
