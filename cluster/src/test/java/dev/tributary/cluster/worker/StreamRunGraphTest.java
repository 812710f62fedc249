package dev.tributary.cluster.worker;

class StreamRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return new StreamConnector();
  }
}
