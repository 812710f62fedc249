package dev.tributary.cluster.internal.worker;

class NetworkRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return StreamConnector.overNetwork();
  }
}
