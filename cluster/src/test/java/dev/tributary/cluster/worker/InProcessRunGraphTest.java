package dev.tributary.cluster.worker;

class InProcessRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
