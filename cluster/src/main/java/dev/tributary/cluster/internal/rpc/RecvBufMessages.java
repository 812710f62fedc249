package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Messages about one chunk of a collective. The bytes have no type on the wire, and arrive as
 * uint8. TensorFlow cuts them into many pieces, we send one.
 */
final class RecvBufMessages {
  private static final ByteString EXTRA_TYPE =
      ByteString.copyFromUtf8("type.googleapis.com/tensorflow.RecvBufRespExtra");

  /** The fields of google.protobuf.Any. */
  private static final int ANY_TYPE = 1;

  private static final int ANY_VALUE = 2;

  static final Codec<RecvBufRequest> REQUEST =
      Codec.of(
          WorkerProto.RecvBufRequest.getDefaultInstance(),
          request ->
              WorkerProto.RecvBufRequest.newBuilder()
                  .setStepId(request.stepId())
                  .setBufRendezvousKey(request.key().tensorName())
                  .setNumBytes(request.bytes())
                  .setSrcDevice(request.key().sendDevice())
                  .setDstDevice(request.key().recvDevice())
                  .setRequestId(request.requestId())
                  .setSrcIncarnation(request.key().incarnation())
                  .build(),
          message ->
              new RecvBufRequest(
                  message.getStepId(),
                  new RendezvousKey(
                      message.getSrcDevice(),
                      message.getSrcIncarnation(),
                      message.getDstDevice(),
                      message.getBufRendezvousKey(),
                      0,
                      0),
                  message.getNumBytes(),
                  message.getRequestId()));

  static final Codec<ReceivedTensor> RESPONSE =
      new Codec<>(
          RecvBufMessages::encode,
          RecvBufMessages::decode,
          received -> received.value().ifPresent(Tensor::close));

  private RecvBufMessages() {}

  private static ByteString encode(ReceivedTensor received) {
    Tensor chunk =
        received
            .value()
            .orElseThrow(() -> TributaryException.internal("RecvBuf: the chunk is a dead value"));
    if (chunk.byteSize() > Integer.MAX_VALUE - (1 << 10)) {
      throw TributaryException.invalidArgument(
          "a chunk of %d bytes does not fit into one message of at most 2 GiB", chunk.byteSize());
    }
    ByteString content =
        UnsafeByteOperations.unsafeWrap(
            Memory.bytes(chunk.storage().address(), (int) chunk.byteSize()));
    ByteString extra =
        Wire.field(WorkerProto.RecvBufRespExtra.TENSOR_CONTENT_FIELD_NUMBER, content);
    ByteString any = Wire.field(ANY_TYPE, EXTRA_TYPE).concat(Wire.field(ANY_VALUE, extra));
    return Wire.field(WorkerProto.RecvBufResponse.NUM_BYTES_FIELD_NUMBER, chunk.byteSize())
        .concat(
            Wire.field(
                WorkerProto.RecvBufResponse.SEND_START_MICROS_FIELD_NUMBER,
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())))
        .concat(Wire.field(WorkerProto.RecvBufResponse.TRANSPORT_OPTIONS_FIELD_NUMBER, any));
  }

  private static ReceivedTensor decode(ByteString bytes, Allocator allocator) {
    WorkerProto.RecvBufResponse message =
        Wire.view(WorkerProto.RecvBufResponse.getDefaultInstance(), bytes);
    Any any = Wire.view(Any.getDefaultInstance(), message.getTransportOptions());
    WorkerProto.RecvBufRespExtra extra =
        Wire.view(WorkerProto.RecvBufRespExtra.getDefaultInstance(), any.getValue());
    List<ByteBuffer> pieces =
        extra.getTensorContentList().stream()
            .flatMap(piece -> piece.asReadOnlyByteBufferList().stream())
            .toList();
    long length = pieces.stream().mapToLong(ByteBuffer::remaining).sum();
    Tensor chunk =
        SharedTensors.take(Tensor.ofBytes(allocator, DataType.UINT8, Shape.of(length), pieces));
    return new ReceivedTensor(Optional.of(chunk), message.getRequireAck());
  }
}
