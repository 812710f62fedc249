package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.collective.CollectiveGroup;
import dev.tributary.internal.collective.CollectiveMember;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.collective.GroupRequest;
import dev.tributary.internal.collective.InstanceRequest;
import dev.tributary.internal.kernel.CollectiveKind;
import dev.tributary.internal.wire.ShapeProtos;
import dev.tributary.tensor.DataType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.TensorShapeProto;

/** Messages by which members of collectives find each other. */
final class CollectiveMessages {
  static final Codec<GroupRequest> GROUP =
      Codec.of(
          WorkerProto.CompleteGroupRequest.getDefaultInstance(),
          request ->
              WorkerProto.CompleteGroupRequest.newBuilder()
                  .setGroupKey(request.key())
                  .setGroupSize(request.size())
                  .setDeviceType(request.deviceType())
                  .setDeviceAttributes(attributes(request.member()))
                  .setIsTributary(request.member().isOurs())
                  .setLimitMillis(request.limit().toMillis())
                  .build(),
          message ->
              new GroupRequest(
                  message.getGroupKey(),
                  message.getGroupSize(),
                  message.getDeviceType(),
                  member(message.getDeviceAttributes(), message.getIsTributary()),
                  limit(message.getLimitMillis())));

  static final Codec<CollectiveGroup> COMPLETED_GROUP =
      Codec.of(
          WorkerProto.CompleteGroupResponse.getDefaultInstance(),
          CollectiveMessages::toMessage,
          CollectiveMessages::group);

  static final Codec<InstanceRequest> INSTANCE =
      Codec.of(
          WorkerProto.CompleteInstanceRequest.getDefaultInstance(),
          request ->
              WorkerProto.CompleteInstanceRequest.newBuilder()
                  .setName(request.name())
                  .setType(request.kind().number())
                  .setDataType(request.type().number())
                  .setShape(ShapeProtos.toProto(request.shape()).toByteString())
                  .setGroupKey(request.groupKey())
                  .setGroupSize(request.groupSize())
                  .setInstanceKey(request.instanceKey())
                  .setDeviceType(request.deviceType())
                  .addAllSubdivOffset(request.offsets())
                  .setDevice(request.device())
                  .setIsSource(request.isSource())
                  .setLimitMillis(request.limit().toMillis())
                  .build(),
          CollectiveMessages::instance);

  /** A source rank of a collective that has none is -1, as in TensorFlow. */
  static final Codec<Integer> COMPLETED_INSTANCE =
      Codec.of(
          WorkerProto.CompleteInstanceResponse.getDefaultInstance(),
          rank -> WorkerProto.CompleteInstanceResponse.newBuilder().setSourceRank(rank).build(),
          WorkerProto.CompleteInstanceResponse::getSourceRank);

  static final Codec<List<Long>> GRAPH_KEYS =
      Codec.of(
          WorkerProto.GetStepSequenceRequest.getDefaultInstance(),
          keys -> WorkerProto.GetStepSequenceRequest.newBuilder().addAllGraphKey(keys).build(),
          message -> List.copyOf(message.getGraphKeyList()));

  /** The ids of the next steps, by the keys of their graphs. */
  static final Codec<Map<Long, Long>> STEP_IDS =
      Codec.of(
          WorkerProto.GetStepSequenceResponse.getDefaultInstance(),
          CollectiveMessages::toMessage,
          message ->
              message.getStepSequenceList().stream()
                  .collect(
                      Collectors.toMap(
                          WorkerProto.StepSequence::getGraphKey,
                          WorkerProto.StepSequence::getNextStepId,
                          (first, second) -> second)));

  private CollectiveMessages() {}

  private static ByteString attributes(CollectiveMember member) {
    return DeviceAttributes.newBuilder()
        .setName(member.device())
        .setDeviceType(DeviceSpec.parse(member.device()).type().orElse(""))
        .setIncarnation(member.incarnation())
        .build()
        .toByteString();
  }

  private static CollectiveMember member(ByteString attributes, boolean isOurs) {
    DeviceAttributes device = Wire.copy(DeviceAttributes.getDefaultInstance(), attributes);
    if (!DeviceSpec.parse(device.getName()).isComplete()) {
      throw TributaryException.invalidArgument(
          "a member of a collective needs the full name of its device, got '%s'", device.getName());
    }
    return new CollectiveMember(device.getName(), device.getIncarnation(), isOurs);
  }

  private static WorkerProto.CompleteGroupResponse toMessage(CollectiveGroup group) {
    List<CollectiveMember> members = group.members();
    return WorkerProto.CompleteGroupResponse.newBuilder()
        .setGroupKey(group.key())
        .setGroupSize(members.size())
        .setDeviceType(DeviceSpec.parse(members.get(0).device()).type().orElse(""))
        .setNumTasks((int) members.stream().map(CollectiveMember::task).distinct().count())
        .addAllDeviceAttributes(members.stream().map(CollectiveMessages::attributes).toList())
        .addAllTributaryDevices(
            members.stream()
                .filter(CollectiveMember::isOurs)
                .map(CollectiveMember::device)
                .toList())
        .build();
  }

  private static WorkerProto.GetStepSequenceResponse toMessage(Map<Long, Long> next) {
    WorkerProto.GetStepSequenceResponse.Builder message =
        WorkerProto.GetStepSequenceResponse.newBuilder();
    next.forEach((key, id) -> message.addStepSequenceBuilder().setGraphKey(key).setNextStepId(id));
    return message.build();
  }

  private static CollectiveGroup group(WorkerProto.CompleteGroupResponse message) {
    Set<String> ours = Set.copyOf(message.getTributaryDevicesList());
    return new CollectiveGroup(
        message.getGroupKey(),
        message.getDeviceAttributesList().stream()
            .map(attributes -> member(attributes, false))
            .map(
                member ->
                    new CollectiveMember(
                        member.device(), member.incarnation(), ours.contains(member.device())))
            .toList());
  }

  private static InstanceRequest instance(WorkerProto.CompleteInstanceRequest message) {
    return new InstanceRequest(
        message.getName(),
        kind(message.getType()),
        DataType.ofNumber(message.getDataType()),
        ShapeProtos.toShape(Wire.view(TensorShapeProto.getDefaultInstance(), message.getShape())),
        message.getGroupKey(),
        message.getGroupSize(),
        message.getInstanceKey(),
        message.getDeviceType(),
        message.getSubdivOffsetList(),
        message.getDevice(),
        message.getIsSource(),
        limit(message.getLimitMillis()));
  }

  private static CollectiveKind kind(int number) {
    return Arrays.stream(CollectiveKind.values())
        .filter(kind -> kind.number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "collectives of type %d are not known here", number));
  }

  private static Duration limit(long millis) {
    return millis > 0 ? Duration.ofMillis(millis) : CollectiveRuntime.USUAL_LIMIT;
  }
}
