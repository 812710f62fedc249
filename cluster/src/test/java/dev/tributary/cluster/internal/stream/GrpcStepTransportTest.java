package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;

class GrpcStepTransportTest extends StepTransportContract {
  private GrpcLoop loop;

  @Override
  StepTransport connect() {
    Recording<WorkerInterface> worker =
        Recording.of(WorkerInterface.class)
            .answering(
                call -> {
                  Object request = call.arguments().get(0);
                  if (request instanceof RecvTensorRequest receive) {
                    return sender.recvTensor(receive, call.options());
                  } else if (request instanceof PushTensorRequest push) {
                    return sender.pushTensor(push, call.options());
                  }
                  return sender.runGraph((RunGraphRequest) request, call.options());
                });
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
