package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.rpc.message.TaskProto;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.RendezvousKey;
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
            .setSessionHandle(request.sessionHandle())
            .setStepId(request.stepId())
            .setRendezvousKey(request.key().toString())
            .build()
            .toByteString();
    ByteString answer =
        RecvTensorMessages.RESPONSE.encode().apply(new ReceivedTensor(request.value(), false));
    return Wire.concat(frame, Wire.field(TaskProto.PushTensorRequest.ANSWER_FIELD_NUMBER, answer));
  }

  private static PushTensorRequest decode(ByteString bytes, Allocator allocator) {
    TaskProto.PushTensorRequest message =
        Wire.view(TaskProto.PushTensorRequest.getDefaultInstance(), bytes);
    return new PushTensorRequest(
        message.getSessionHandle(),
        message.getStepId(),
        RendezvousKey.of(message.getRendezvousKey()),
        RecvTensorMessages.RESPONSE.decode().apply(message.getAnswer(), allocator).value());
  }
}
