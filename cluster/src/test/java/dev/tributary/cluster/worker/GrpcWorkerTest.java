package dev.tributary.cluster.worker;

class GrpcWorkerTest extends WorkerContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
