package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import java.util.List;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.GraphDef;

/** Messages about a client's sessions and the devices they see. */
final class SessionMessages {
  static final Codec<CreateSessionRequest> CREATE =
      Codec.of(
          MasterProto.CreateSessionRequest.getDefaultInstance(),
          request ->
              MasterProto.CreateSessionRequest.newBuilder()
                  .setGraphDef(request.graph().toProto().toByteString())
                  .setConfig(request.config().toByteString())
                  .setTarget(request.target())
                  .build(),
          message ->
              new CreateSessionRequest(
                  Wire.copy(GraphDef.getDefaultInstance(), message.getGraphDef()),
                  Wire.copy(ConfigProto.getDefaultInstance(), message.getConfig()),
                  message.getTarget()));

  static final Codec<CreateSessionResponse> CREATED =
      Codec.of(
          MasterProto.CreateSessionResponse.getDefaultInstance(),
          response ->
              MasterProto.CreateSessionResponse.newBuilder()
                  .setSessionHandle(response.sessionHandle())
                  .setGraphVersion(response.graphVersion())
                  .build(),
          message ->
              new CreateSessionResponse(message.getSessionHandle(), message.getGraphVersion()));

  static final Codec<ExtendSessionRequest> EXTEND =
      Codec.of(
          MasterProto.ExtendSessionRequest.getDefaultInstance(),
          request ->
              MasterProto.ExtendSessionRequest.newBuilder()
                  .setSessionHandle(request.sessionHandle())
                  .setGraphDef(request.graph().toProto().toByteString())
                  .setCurrentGraphVersion(request.currentGraphVersion())
                  .build(),
          message ->
              new ExtendSessionRequest(
                  message.getSessionHandle(),
                  Wire.copy(GraphDef.getDefaultInstance(), message.getGraphDef()),
                  message.getCurrentGraphVersion()));

  static final Codec<Long> EXTENDED =
      Codec.of(
          MasterProto.ExtendSessionResponse.getDefaultInstance(),
          version ->
              MasterProto.ExtendSessionResponse.newBuilder().setNewGraphVersion(version).build(),
          MasterProto.ExtendSessionResponse::getNewGraphVersion);

  static final Codec<String> CLOSE =
      Codec.of(
          MasterProto.CloseSessionRequest.getDefaultInstance(),
          handle -> MasterProto.CloseSessionRequest.newBuilder().setSessionHandle(handle).build(),
          MasterProto.CloseSessionRequest::getSessionHandle);

  static final Codec<String> LIST_DEVICES =
      Codec.of(
          MasterProto.ListDevicesRequest.getDefaultInstance(),
          handle -> MasterProto.ListDevicesRequest.newBuilder().setSessionHandle(handle).build(),
          MasterProto.ListDevicesRequest::getSessionHandle);

  static final Codec<ListDevicesResponse> DEVICES =
      Codec.of(
          MasterProto.ListDevicesResponse.getDefaultInstance(),
          response ->
              MasterProto.ListDevicesResponse.newBuilder()
                  .addAllLocalDevice(bytes(response.localDevices()))
                  .addAllRemoteDevice(bytes(response.remoteDevices()))
                  .build(),
          message ->
              new ListDevicesResponse(
                  devices(message.getLocalDeviceList()), devices(message.getRemoteDeviceList())));

  static final Codec<ResetRequest> RESET =
      Codec.of(
          MasterProto.ResetRequest.getDefaultInstance(),
          request ->
              MasterProto.ResetRequest.newBuilder()
                  .addAllContainer(request.containers())
                  .addAllDeviceFilters(request.deviceFilters())
                  .build(),
          message -> new ResetRequest(message.getContainerList(), message.getDeviceFiltersList()));

  private SessionMessages() {}

  static List<ByteString> bytes(List<? extends MessageLite> messages) {
    return messages.stream().map(MessageLite::toByteString).toList();
  }

  static List<DeviceAttributes> devices(List<ByteString> messages) {
    return messages.stream()
        .map(bytes -> Wire.copy(DeviceAttributes.getDefaultInstance(), bytes))
        .toList();
  }
}
