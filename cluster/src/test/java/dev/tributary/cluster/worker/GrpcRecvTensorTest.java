package dev.tributary.cluster.worker;

class GrpcRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
