package dev.tributary.cluster.worker;

class StreamTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return new StreamConnector();
  }
}
