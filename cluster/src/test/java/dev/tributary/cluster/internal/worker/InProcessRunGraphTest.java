package dev.tributary.cluster.internal.worker;

class InProcessRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
