package dev.tributary.cluster.worker;

class InProcessWorkerTest extends WorkerContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
