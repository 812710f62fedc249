package dev.tributary.cluster.worker;

class GrpcWorkerSessionTest extends WorkerSessionContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
