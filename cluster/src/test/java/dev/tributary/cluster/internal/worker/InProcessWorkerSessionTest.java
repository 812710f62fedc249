package dev.tributary.cluster.internal.worker;

class InProcessWorkerSessionTest extends WorkerSessionContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
