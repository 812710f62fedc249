package dev.tributary.cluster.internal.worker;

class StreamRunGraphTest extends RunGraphContract {
  @Override
  Connector connector() {
    return StreamConnector.local();
  }
}
