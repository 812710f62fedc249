package dev.tributary.cluster.worker;

class GrpcRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
