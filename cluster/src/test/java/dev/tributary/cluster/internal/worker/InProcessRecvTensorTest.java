package dev.tributary.cluster.internal.worker;

class InProcessRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
