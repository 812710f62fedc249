package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.internal.memory.Allocator;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.RunMetadata;

/** Messages about steps that were made ready. */
final class CallableMessages {
  /** A callable and the session it belongs to. */
  record CallableName(String sessionHandle, long callableHandle) {}

  static final Codec<MakeCallableRequest> MAKE =
      Codec.of(
          MasterProto.MakeCallableRequest.getDefaultInstance(),
          request ->
              MasterProto.MakeCallableRequest.newBuilder()
                  .setSessionHandle(request.sessionHandle())
                  .setOptions(request.options().toByteString())
                  .setRequestId(request.requestId())
                  .build(),
          message ->
              new MakeCallableRequest(
                  message.getSessionHandle(),
                  Wire.copy(CallableOptions.getDefaultInstance(), message.getOptions()),
                  message.getRequestId()));

  static final Codec<Long> MADE =
      Codec.of(
          MasterProto.MakeCallableResponse.getDefaultInstance(),
          handle -> MasterProto.MakeCallableResponse.newBuilder().setHandle(handle).build(),
          MasterProto.MakeCallableResponse::getHandle);

  static final Codec<RunCallableRequest> RUN =
      new Codec<>(
          CallableMessages::encode,
          CallableMessages::decodeRequest,
          request -> Tensors.release(request.feeds()));

  static final Codec<RunCallableResponse> RAN =
      new Codec<>(
          CallableMessages::encode,
          CallableMessages::decodeResponse,
          response -> Tensors.release(response.fetches()));

  static final Codec<CallableName> RELEASE =
      Codec.of(
          MasterProto.ReleaseCallableRequest.getDefaultInstance(),
          callable ->
              MasterProto.ReleaseCallableRequest.newBuilder()
                  .setSessionHandle(callable.sessionHandle())
                  .setHandle(callable.callableHandle())
                  .build(),
          message -> new CallableName(message.getSessionHandle(), message.getHandle()));

  private CallableMessages() {}

  private static ByteString encode(RunCallableRequest request) {
    ByteString frame =
        MasterProto.RunCallableRequest.newBuilder()
            .setSessionHandle(request.sessionHandle())
            .setHandle(request.callableHandle())
            .setRequestId(request.requestId())
            .build()
            .toByteString();
    return Wire.concat(
        frame, Tensors.encode(MasterProto.RunCallableRequest.FEED_FIELD_NUMBER, request.feeds()));
  }

  private static RunCallableRequest decodeRequest(ByteString bytes, Allocator allocator) {
    MasterProto.RunCallableRequest message =
        Wire.view(MasterProto.RunCallableRequest.getDefaultInstance(), bytes);
    return new RunCallableRequest(
        message.getSessionHandle(),
        message.getHandle(),
        Tensors.decode(message.getFeedList(), allocator),
        message.getRequestId());
  }

  private static ByteString encode(RunCallableResponse response) {
    ByteString frame =
        MasterProto.RunCallableResponse.newBuilder()
            .setMetadata(response.metadata().toByteString())
            .build()
            .toByteString();
    return Wire.concat(
        frame,
        Tensors.encode(MasterProto.RunCallableResponse.FETCH_FIELD_NUMBER, response.fetches()));
  }

  private static RunCallableResponse decodeResponse(ByteString bytes, Allocator allocator) {
    MasterProto.RunCallableResponse message =
        Wire.view(MasterProto.RunCallableResponse.getDefaultInstance(), bytes);
    RunMetadata metadata = Wire.copy(RunMetadata.getDefaultInstance(), message.getMetadata());
    return new RunCallableResponse(Tensors.decode(message.getFetchList(), allocator), metadata);
  }
}
