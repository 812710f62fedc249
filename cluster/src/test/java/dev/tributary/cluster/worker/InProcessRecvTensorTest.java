package dev.tributary.cluster.worker;

class InProcessRecvTensorTest extends RecvTensorContract {
  @Override
  Connector connector() {
    return Connector.inProcess();
  }
}
