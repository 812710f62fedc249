package dev.tributary.cluster.internal.worker;

class StreamRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return StreamConnector.local();
  }
}
