package dev.tributary.cluster.worker;

class StreamRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return new StreamConnector();
  }
}
