package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import java.util.List;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.ServerDef;

/** Messages about a worker's devices and sessions. */
final class WorkerSessionMessages {
  static final Codec<List<DeviceAttributes>> STATUS =
      Codec.of(
          WorkerProto.GetStatusResponse.getDefaultInstance(),
          devices ->
              WorkerProto.GetStatusResponse.newBuilder()
                  .addAllDeviceAttributes(SessionMessages.bytes(devices))
                  .build(),
          message -> SessionMessages.devices(message.getDeviceAttributesList()));

  static final Codec<CreateWorkerSessionRequest> CREATE =
      Codec.of(
          WorkerProto.CreateWorkerSessionRequest.getDefaultInstance(),
          request ->
              WorkerProto.CreateWorkerSessionRequest.newBuilder()
                  .setSessionHandle(request.sessionHandle())
                  .setServerDef(request.serverDef().toByteString())
                  .setIsolateSessionState(request.isolateSessionState())
                  .addAllClusterDeviceAttributes(SessionMessages.bytes(request.clusterDevices()))
                  .setMasterTask(request.masterTask())
                  .setMasterIncarnation(request.masterIncarnation())
                  .build(),
          message ->
              new CreateWorkerSessionRequest(
                  message.getSessionHandle(),
                  Wire.copy(ServerDef.getDefaultInstance(), message.getServerDef()),
                  message.getIsolateSessionState(),
                  SessionMessages.devices(message.getClusterDeviceAttributesList()),
                  message.getMasterTask(),
                  message.getMasterIncarnation()));

  static final Codec<CreateWorkerSessionResponse> CREATED =
      Codec.of(
          WorkerProto.CreateWorkerSessionResponse.getDefaultInstance(),
          response ->
              WorkerProto.CreateWorkerSessionResponse.newBuilder()
                  .setPushesTensors(response.pushesTensors())
                  .build(),
          message -> new CreateWorkerSessionResponse(message.getPushesTensors()));

  static final Codec<String> DELETE =
      Codec.of(
          WorkerProto.DeleteWorkerSessionRequest.getDefaultInstance(),
          handle ->
              WorkerProto.DeleteWorkerSessionRequest.newBuilder().setSessionHandle(handle).build(),
          WorkerProto.DeleteWorkerSessionRequest::getSessionHandle);

  private WorkerSessionMessages() {}
}
