package dev.tributary.cluster.worker;

class InProcessTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
