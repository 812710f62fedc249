package dev.tributary.cluster.internal.worker;

class GrpcRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
