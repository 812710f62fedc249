package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import java.util.Optional;
import org.tensorflow.proto.RunMetadata;
import org.tensorflow.proto.RunOptions;

/** Messages about steps of a session, whole and partial. */
final class StepMessages {
  static final Codec<PartialRunSetupRequest> PARTIAL_SETUP =
      Codec.of(
          MasterProto.PartialRunSetupRequest.getDefaultInstance(),
          request ->
              MasterProto.PartialRunSetupRequest.newBuilder()
                  .setSessionHandle(request.sessionHandle())
                  .addAllFeed(request.feeds())
                  .addAllFetch(request.fetches())
                  .addAllTarget(request.targets())
                  .setRequestId(request.requestId())
                  .build(),
          message ->
              new PartialRunSetupRequest(
                  message.getSessionHandle(),
                  message.getFeedList(),
                  message.getFetchList(),
                  message.getTargetList(),
                  message.getRequestId()));

  static final Codec<String> PARTIAL_HANDLE =
      Codec.of(
          MasterProto.PartialRunSetupResponse.getDefaultInstance(),
          handle ->
              MasterProto.PartialRunSetupResponse.newBuilder().setPartialRunHandle(handle).build(),
          MasterProto.PartialRunSetupResponse::getPartialRunHandle);

  static final Codec<ErrorsInBody<RunStepRequest>> RUN =
      new Codec<>(
          StepMessages::encode,
          StepMessages::decodeRequest,
          message -> Tensors.releaseNamed(message.request().feeds()));

  static final Codec<Outcome<RunStepResponse>> RAN =
      new Codec<>(
          StepMessages::encode,
          StepMessages::decodeResponse,
          outcome -> outcome.response().ifPresent(r -> Tensors.releaseNamed(r.tensors())));

  private StepMessages() {}

  private static ByteString encode(ErrorsInBody<RunStepRequest> message) {
    RunStepRequest request = message.request();
    ByteString frame =
        MasterProto.RunStepRequest.newBuilder()
            .setSessionHandle(request.sessionHandle())
            .addAllFetch(request.fetches())
            .addAllTarget(request.targets())
            .setOptions(request.options().toByteString())
            .setPartialRunHandle(request.partialRunHandle())
            .setStoreErrorsInResponseBody(message.allowed())
            .setRequestId(request.requestId())
            .build()
            .toByteString();
    return Wire.concat(
        frame, Tensors.encodeNamed(MasterProto.RunStepRequest.FEED_FIELD_NUMBER, request.feeds()));
  }

  private static ErrorsInBody<RunStepRequest> decodeRequest(ByteString bytes, Allocator allocator) {
    MasterProto.RunStepRequest message =
        Wire.view(MasterProto.RunStepRequest.getDefaultInstance(), bytes);
    RunOptions options = Wire.copy(RunOptions.getDefaultInstance(), message.getOptions());
    RunStepRequest request =
        new RunStepRequest(
            message.getSessionHandle(),
            Tensors.decodeNamed(message.getFeedList(), allocator),
            message.getFetchList(),
            message.getTargetList(),
            options,
            message.getPartialRunHandle(),
            message.getRequestId());
    return new ErrorsInBody<>(request, message.getStoreErrorsInResponseBody());
  }

  private static ByteString encode(Outcome<RunStepResponse> outcome) {
    MasterProto.RunStepResponse.Builder frame =
        MasterProto.RunStepResponse.newBuilder()
            .setStatusCode(outcome.code())
            .setStatusErrorMessage(outcome.message());
    if (outcome.response().isEmpty()) {
      return frame.build().toByteString();
    }
    RunStepResponse response = outcome.response().get();
    return Wire.concat(
        frame.setMetadata(response.metadata().toByteString()).build().toByteString(),
        Tensors.encodeNamed(MasterProto.RunStepResponse.TENSOR_FIELD_NUMBER, response.tensors()));
  }

  private static Outcome<RunStepResponse> decodeResponse(ByteString bytes, Allocator allocator) {
    MasterProto.RunStepResponse message =
        Wire.view(MasterProto.RunStepResponse.getDefaultInstance(), bytes);
    Optional<TributaryException> error =
        Outcome.error(message.getStatusCode(), message.getStatusErrorMessage());
    if (error.isPresent()) {
      return new Outcome<>(Optional.empty(), error);
    }
    RunMetadata metadata = Wire.copy(RunMetadata.getDefaultInstance(), message.getMetadata());
    return Outcome.of(
        new RunStepResponse(Tensors.decodeNamed(message.getTensorList(), allocator), metadata));
  }
}
