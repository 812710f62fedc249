package dev.tributary.cluster.internal.worker;

class GrpcWorkerSessionTest extends WorkerSessionContract {
  @Override
  Connector connector() {
    return new GrpcConnector();
  }
}
