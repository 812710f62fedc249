package dev.tributary.cluster.internal.worker;

class GrpcRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
