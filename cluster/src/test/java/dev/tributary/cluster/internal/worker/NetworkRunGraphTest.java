package dev.tributary.cluster.internal.worker;

class NetworkRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return StreamConnector.overNetwork();
  }
}
