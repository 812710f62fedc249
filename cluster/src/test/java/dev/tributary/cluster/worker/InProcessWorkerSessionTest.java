package dev.tributary.cluster.worker;

class InProcessWorkerSessionTest extends WorkerSessionContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
