package dev.tributary.cluster.internal.worker;

class NetworkTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return StreamConnector.overNetwork();
  }
}
