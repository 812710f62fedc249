package dev.tributary.cluster.worker;

class GrpcTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
