package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto.RecvTensorResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Messages about one value that goes from worker to worker. The response is written in C++'s order,
 * small fields first and the elements last, so that C++ reads them straight into a tensor too.
 */
final class RecvTensorMessages {
  private static final int TENSOR_TAG =
      Wire.tag(RecvTensorResponse.TENSOR_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
  private static final int IS_DEAD_TAG =
      Wire.tag(RecvTensorResponse.IS_DEAD_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);
  private static final int REQUIRE_ACK_TAG =
      Wire.tag(RecvTensorResponse.REQUIRE_ACK_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);

  /** The placeholder that C++ sends for a dead value: no floats. */
  private static final ByteString NO_VALUE = ByteString.fromHex("08011204120208002200");

  static final Codec<RecvTensorRequest> REQUEST =
      Codec.of(
          WorkerProto.RecvTensorRequest.getDefaultInstance(),
          request ->
              WorkerProto.RecvTensorRequest.newBuilder()
                  .setStepId(request.stepId())
                  .setRendezvousKey(request.key().toString())
                  .setRequestId(request.requestId())
                  .build(),
          message ->
              new RecvTensorRequest(
                  message.getStepId(),
                  RendezvousKey.of(message.getRendezvousKey()),
                  message.getRequestId()));

  static final Codec<ReceivedTensor> RESPONSE = response(Clock.systemUTC());

  static final Codec<Long> MARK_FINISHED =
      Codec.of(
          WorkerProto.MarkRecvFinishedRequest.getDefaultInstance(),
          id -> WorkerProto.MarkRecvFinishedRequest.newBuilder().setRequestId(id).build(),
          WorkerProto.MarkRecvFinishedRequest::getRequestId);

  private RecvTensorMessages() {}

  static Codec<ReceivedTensor> response(Clock clock) {
    return new Codec<>(
        received -> encode(received, ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant())),
        RecvTensorMessages::decode,
        received -> received.value().ifPresent(Tensor::close));
  }

  private static ByteString encode(ReceivedTensor received, long sendStartMicros) {
    ByteString bytes = ByteString.EMPTY;
    if (received.value().isEmpty()) {
      bytes = bytes.concat(Wire.field(RecvTensorResponse.IS_DEAD_FIELD_NUMBER, 1));
    }
    bytes =
        bytes.concat(
            Wire.field(RecvTensorResponse.SEND_START_MICROS_FIELD_NUMBER, sendStartMicros));
    if (received.requireAck()) {
      bytes = bytes.concat(Wire.field(RecvTensorResponse.REQUIRE_ACK_FIELD_NUMBER, 1));
    }
    ByteString tensor = received.value().map(TensorBytes::encode).orElse(NO_VALUE);
    return Wire.concat(bytes, Wire.field(RecvTensorResponse.TENSOR_FIELD_NUMBER, tensor));
  }

  private static ReceivedTensor decode(ByteString bytes, Allocator allocator) {
    ByteString tensor = ByteString.EMPTY;
    boolean dead = false;
    boolean requireAck = false;
    try {
      CodedInputStream in = Wire.reader(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == TENSOR_TAG) {
          // Parts of one message one after the other are, by protobuf's rules, the whole.
          tensor = tensor.concat(in.readBytes());
        } else if (tag == IS_DEAD_TAG) {
          dead = in.readBool();
        } else if (tag == REQUIRE_ACK_TAG) {
          requireAck = in.readBool();
        } else if (!in.skipField(tag)) {
          throw TributaryException.invalidArgument("malformed RecvTensorResponse: tag %d", tag);
        }
      }
    } catch (IOException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "malformed RecvTensorResponse: " + e.getMessage(), e);
    }
    return new ReceivedTensor(
        dead ? Optional.empty() : Optional.of(TensorBytes.decode(tensor, allocator)), requireAck);
  }
}
