package dev.tributary.internal.pipeline;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.data.model.Model.ModelProto;

/**
 * The stages of a pipeline, which op {@code IteratorGetModelProto} gives as TensorFlow's {@code
 * ModelProto}: a report of a stock server can be read, too. Immutable.
 *
 * @param stages the one that consumers ask first
 */
public record PipelineReport(List<StageReport> stages) {
  private static final String IDLE = "idle_time";
  private static final String CAPACITY = "buffer_size";

  public PipelineReport {
    stages = List.copyOf(stages);
  }

  /** The time in which a stage waited for elements of its inputs. */
  public Duration waiting(StageReport stage) {
    Duration sum = Duration.ZERO;
    for (StageReport other : stages) {
      sum = stage.inputs().contains(other.id()) ? sum.plus(other.producing()) : sum;
    }
    return sum;
  }

  public byte[] toBytes() {
    ModelProto.Builder model = ModelProto.newBuilder();
    for (StageReport stage : stages) {
      model.putNodes(stage.id(), toProto(stage));
    }
    if (!stages.isEmpty()) {
      model.setOutput(stages.get(0).id());
    }
    return model.setIdCounter(stages.size() + 1).build().toByteArray();
  }

  private static ModelProto.Node toProto(StageReport stage) {
    return ModelProto.Node.newBuilder()
        .setId(stage.id())
        .setName(stage.name())
        .addAllInputs(stage.inputs())
        .setNumElements(stage.elements())
        .setProcessingTime(stage.producing().toNanos())
        .setBufferedElements(stage.buffered())
        .addParameters(parameter(IDLE, stage.idle().toNanos()))
        .addParameters(parameter(CAPACITY, stage.capacity()))
        .build();
  }

  private static ModelProto.Node.Parameter.Builder parameter(String name, double value) {
    return ModelProto.Node.Parameter.newBuilder().setName(name).setValue(value);
  }

  public static PipelineReport parse(byte[] bytes) {
    ModelProto model;
    try {
      model = ModelProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "malformed report of a pipeline: " + e.getMessage(), e);
    }
    List<StageReport> stages = new ArrayList<>();
    addStages(model.getNodesMap(), model.getOutput(), stages);
    return new PipelineReport(stages);
  }

  /** Stages are listed before their inputs; a message with a cycle must not go round for ever. */
  private static void addStages(
      Map<Long, ModelProto.Node> nodes, long id, List<StageReport> stages) {
    ModelProto.Node node = nodes.get(id);
    if (node == null || stages.stream().anyMatch(stage -> stage.id() == id)) {
      return;
    }
    stages.add(
        new StageReport(
            id,
            node.getName(),
            node.getInputsList(),
            node.getNumElements(),
            Duration.ofNanos(node.getProcessingTime()),
            Duration.ofNanos((long) parameter(node, IDLE)),
            node.getBufferedElements(),
            (long) parameter(node, CAPACITY)));
    node.getInputsList().forEach(input -> addStages(nodes, input, stages));
  }

  private static double parameter(ModelProto.Node node, String name) {
    return node.getParametersList().stream()
        .filter(parameter -> parameter.getName().equals(name))
        .mapToDouble(ModelProto.Node.Parameter::getValue)
        .findFirst()
        .orElse(0);
  }
}
