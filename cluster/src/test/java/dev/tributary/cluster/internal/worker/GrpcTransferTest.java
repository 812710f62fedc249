package dev.tributary.cluster.internal.worker;

class GrpcTransferTest extends TransferContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
