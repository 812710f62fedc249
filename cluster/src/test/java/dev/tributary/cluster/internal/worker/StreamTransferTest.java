package dev.tributary.cluster.internal.worker;

class StreamTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return StreamConnector.local();
  }
}
