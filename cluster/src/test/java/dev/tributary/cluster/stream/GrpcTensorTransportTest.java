package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.RecvTensorRequest;
import dev.tributary.cluster.protocol.TensorTransport;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;

class GrpcTensorTransportTest extends TensorTransportContract {
  private GrpcLoop loop;

  @Override
  TensorTransport connect() {
    Recording<WorkerInterface> worker =
        Recording.of(WorkerInterface.class)
            .answering(
                call ->
                    sender.recvTensor((RecvTensorRequest) call.arguments().get(0), call.options()));
    loop = GrpcLoop.around(worker.target());
    return loop.worker();
  }

  @Override
  void stopSender() {
    loop.stopServer();
  }

  @Override
  void disconnect() {
    loop.close();
  }
}
