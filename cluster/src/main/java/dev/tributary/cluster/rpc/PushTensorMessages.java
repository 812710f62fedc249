package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.protocol.PushTensorRequest;
import dev.tributary.cluster.protocol.ReceivedTensor;
import dev.tributary.cluster.rpc.message.TaskProto;
import dev.tributary.tensor.Tensor;

/** Messages about one value that goes from worker to worker unasked. */
final class PushTensorMessages {
  static final Codec<PushTensorRequest> REQUEST =
      new Codec<>(
          PushTensorMessages::encode,
          PushTensorMessages::decode,
          request -> request.value().ifPresent(Tensor::close));

  private PushTensorMessages() {}

  private static ByteString encode(PushTensorRequest request) {
    ByteString frame =
        TaskProto.PushTensorRequest.newBuilder()
            .setStepId(request.stepId())
            .setRendezvousKey(request.rendezvousKey())
            .build()
            .toByteString();
    ByteString answer =
        RecvTensorMessages.RESPONSE.encode().apply(new ReceivedTensor(request.value(), false));
    return Wire.concat(frame, Wire.field(TaskProto.PushTensorRequest.ANSWER_FIELD_NUMBER, answer));
  }

  private static PushTensorRequest decode(ByteString bytes) {
    TaskProto.PushTensorRequest message =
        Wire.view(TaskProto.PushTensorRequest.getDefaultInstance(), bytes);
    return new PushTensorRequest(
        message.getStepId(),
        message.getRendezvousKey(),
        RecvTensorMessages.RESPONSE.decode().apply(message.getAnswer()).value());
  }
}
