package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.RendezvousKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.StepStats;

/** Messages about one step of a registered graph. */
final class RunGraphMessages {
  static final Codec<ErrorsInBody<RunGraphRequest>> RUN =
      new Codec<>(
          RunGraphMessages::encode,
          RunGraphMessages::decodeRequest,
          message -> Tensors.releaseKeyed(message.request().send()));

  static final Codec<Outcome<RunGraphResponse>> RAN =
      new Codec<>(
          RunGraphMessages::encode,
          RunGraphMessages::decodeResponse,
          outcome -> outcome.response().ifPresent(r -> Tensors.releaseKeyed(r.received())));

  private RunGraphMessages() {}

  private static ByteString encode(ErrorsInBody<RunGraphRequest> message) {
    RunGraphRequest request = message.request();
    ByteString frame =
        WorkerProto.RunGraphRequest.newBuilder()
            .setSessionHandle(request.sessionHandle())
            .setCreateWorkerSessionCalled(request.createWorkerSessionCalled())
            .setGraphHandle(request.graphHandle())
            .setStepId(request.stepId())
            .addAllRecvKey(texts(request.recvKeys()))
            .setExecOpts(toMessage(request.executorOptions()))
            .setIsPartial(request.partialRun() != Piece.NONE)
            .setIsLastPartialRun(request.partialRun() == Piece.LAST)
            .setStoreErrorsInResponseBody(message.allowed())
            .setRequestId(request.requestId())
            .setPushesTensors(request.pushesTensors())
            .build()
            .toByteString();
    return Wire.concat(
        frame, Tensors.encodeKeyed(WorkerProto.RunGraphRequest.SEND_FIELD_NUMBER, request.send()));
  }

  private static ErrorsInBody<RunGraphRequest> decodeRequest(
      ByteString bytes, Allocator allocator) {
    WorkerProto.RunGraphRequest message =
        Wire.view(WorkerProto.RunGraphRequest.getDefaultInstance(), bytes);
    RunGraphRequest request =
        new RunGraphRequest(
            message.getSessionHandle(),
            message.getCreateWorkerSessionCalled(),
            message.getGraphHandle(),
            message.getStepId(),
            Tensors.decodeKeyed(message.getSendList(), allocator),
            keys(message.getRecvKeyList()),
            fromMessage(message.getExecOpts()),
            partialRun(message),
            message.getPushesTensors(),
            message.getRequestId());
    return new ErrorsInBody<>(request, message.getStoreErrorsInResponseBody());
  }

  private static ByteString encode(Outcome<RunGraphResponse> outcome) {
    WorkerProto.RunGraphResponse.Builder frame =
        WorkerProto.RunGraphResponse.newBuilder()
            .setStatusCode(outcome.code())
            .setStatusErrorMessage(outcome.message());
    if (outcome.response().isEmpty()) {
      return frame.build().toByteString();
    }
    RunGraphResponse response = outcome.response().get();
    frame
        .setStepStats(response.stepStats().toByteString())
        .addAllPartitionGraph(SessionMessages.bytes(response.partitionGraphs()));
    return Wire.concat(
        frame.build().toByteString(),
        Tensors.encodeKeyed(WorkerProto.RunGraphResponse.RECV_FIELD_NUMBER, response.received()));
  }

  private static Outcome<RunGraphResponse> decodeResponse(ByteString bytes, Allocator allocator) {
    WorkerProto.RunGraphResponse message =
        Wire.view(WorkerProto.RunGraphResponse.getDefaultInstance(), bytes);
    Optional<TributaryException> error =
        Outcome.error(message.getStatusCode(), message.getStatusErrorMessage());
    if (error.isPresent()) {
      return new Outcome<>(Optional.empty(), error);
    }
    StepStats stats = Wire.copy(StepStats.getDefaultInstance(), message.getStepStats());
    List<GraphDef> partitions =
        message.getPartitionGraphList().stream()
            .map(graph -> Wire.copy(GraphDef.getDefaultInstance(), graph))
            .toList();
    return Outcome.of(
        new RunGraphResponse(
            Tensors.decodeKeyed(message.getRecvList(), allocator), stats, partitions));
  }

  private static List<String> texts(List<RendezvousKey> keys) {
    List<String> texts = new ArrayList<>(keys.size());
    keys.forEach(key -> texts.add(key.toString()));
    return texts;
  }

  private static List<RendezvousKey> keys(List<String> texts) {
    List<RendezvousKey> keys = new ArrayList<>(texts.size());
    texts.forEach(text -> keys.add(RendezvousKey.of(text)));
    return keys;
  }

  private static WorkerProto.ExecutorOpts toMessage(ExecutorOptions options) {
    return WorkerProto.ExecutorOpts.newBuilder()
        .setRecordCosts(options.recordCosts())
        .setRecordTimeline(options.recordTimeline())
        .setRecordPartitionGraphs(options.recordPartitionGraphs())
        .build();
  }

  private static ExecutorOptions fromMessage(WorkerProto.ExecutorOpts options) {
    return new ExecutorOptions(
        options.getRecordCosts(), options.getRecordTimeline(), options.getRecordPartitionGraphs());
  }

  private static Piece partialRun(WorkerProto.RunGraphRequest message) {
    if (!message.getIsPartial()) {
      return Piece.NONE;
    }
    return message.getIsLastPartialRun() ? Piece.LAST : Piece.MORE_TO_COME;
  }
}
