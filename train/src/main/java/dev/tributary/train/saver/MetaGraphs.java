package dev.tributary.train.saver;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.train.queue.QueueRunner;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Variables;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.QueueRunnerDef;
import org.tensorflow.proto.SaveSliceInfoDef;
import org.tensorflow.proto.SaverDef;
import org.tensorflow.proto.VariableDef;

/**
 * Graphs with what belongs to them, as MetaGraphDef messages: the file {@code .meta} beside a
 * checkpoint, and the part of a SavedModel from which a model is built again. Variables, savers and
 * queue runners in collections become messages, operations and outputs their names; what has no
 * form there is left out, as TensorFlow does.
 */
public final class MetaGraphs {
  private MetaGraphs() {}

  /** The message of a graph and a saver of its variables. */
  public static MetaGraphDef toProto(Graph graph, Saver saver) {
    return toProto(graph).toBuilder().setSaverDef(saverDef(saver)).build();
  }

  /** The message of a graph without a saver. */
  public static MetaGraphDef toProto(Graph graph) {
    MetaGraphDef.Builder meta = MetaGraphDef.newBuilder().setGraphDef(GraphDefs.toProto(graph));
    Set<String> trainable = new HashSet<>();
    Variables.trainable(graph).forEach(variable -> trainable.add(variable.name()));
    for (String name : graph.collectionNames()) {
      if (name.equals(GraphKeys.SAVEABLE_OBJECTS)) {
        continue; // They have no message; the saver's operations are in the graph.
      }
      collection(graph.collection(name), trainable)
          .ifPresent(definition -> meta.putCollectionDef(name, definition));
    }
    return meta.build();
  }

  /**
   * Adds a model to a graph: TensorFlow's {@code import_meta_graph}. Resource variables, operations
   * and outputs in collections come along, so that optimizers and savers find them. Reference
   * variables, queue runners and what names no node of the message are left out of collections.
   *
   * @return the saver that came with the model, if its operations are in the graph
   */
  public static Optional<Saver> importInto(Graph graph, MetaGraphDef meta) {
    return new MetaGraphImport(graph, meta).run();
  }

  private static Optional<CollectionDef> collection(List<Object> elements, Set<String> trainable) {
    CollectionDef.BytesList.Builder messages = CollectionDef.BytesList.newBuilder();
    CollectionDef.NodeList.Builder names = CollectionDef.NodeList.newBuilder();
    for (Object element : elements) {
      if (element instanceof Operation) {
        names.addValue(((Operation) element).name());
      } else if (element instanceof Output) {
        names.addValue(((Output) element).name());
      } else {
        message(element, trainable).ifPresent(messages::addValue);
      }
    }
    if (names.getValueCount() > 0) {
      return Optional.of(CollectionDef.newBuilder().setNodeList(names).build());
    }
    return messages.getValueCount() == 0
        ? Optional.empty()
        : Optional.of(CollectionDef.newBuilder().setBytesList(messages).build());
  }

  private static Optional<ByteString> message(Object element, Set<String> trainable) {
    if (element instanceof Variable) {
      Variable variable = (Variable) element;
      return bytes(variableDef(variable, trainable.contains(variable.name())));
    }
    if (element instanceof QueueRunner) {
      return bytes(queueRunnerDef((QueueRunner) element));
    }
    return element instanceof Saver ? bytes(saverDef((Saver) element)) : Optional.empty();
  }

  private static Optional<ByteString> bytes(MessageLite message) {
    return Optional.of(message.toByteString());
  }

  private static VariableDef variableDef(Variable variable, boolean trainable) {
    VariableDef.Builder definition =
        VariableDef.newBuilder()
            .setVariableName(variable.handle().name())
            .setInitializerName(variable.initializer().name())
            .setSnapshotName(variable.value().name())
            .setInitialValueName(variable.initialValue().name())
            .setIsResource(true)
            .setTrainable(trainable);
    variable
        .copies()
        .ifPresent(
            copies ->
                definition
                    .setSynchronizationValue(copies.synchronization().ordinal())
                    .setAggregationValue(copies.aggregation().ordinal()));
    variable.slice().ifPresent(slice -> definition.setSaveSliceInfoDef(sliceInfo(slice)));
    return definition.build();
  }

  private static SaveSliceInfoDef sliceInfo(VariableSlice slice) {
    SaveSliceInfoDef.Builder info =
        SaveSliceInfoDef.newBuilder().setFullName(slice.fullName()).addAllVarOffset(slice.offset());
    for (int i = 0; i < slice.shape().rank(); i++) {
      info.addFullShape(slice.fullShape().size(i)).addVarShape(slice.shape().size(i));
    }
    return info.build();
  }

  private static QueueRunnerDef queueRunnerDef(QueueRunner runner) {
    QueueRunnerDef.Builder definition =
        QueueRunnerDef.newBuilder()
            .setQueueName(runner.name() + ":0")
            .setCloseOpName(runner.closeOp().name())
            .setCancelOpName(runner.cancelOp().name());
    runner.enqueueOps().forEach(op -> definition.addEnqueueOpName(op.name()));
    runner.closedBy().forEach(code -> definition.addQueueClosedExceptionTypesValue(code.number()));
    return definition.build();
  }

  private static SaverDef saverDef(Saver saver) {
    SaverOptions options = saver.options();
    return SaverDef.newBuilder()
        .setFilenameTensorName(saver.filenameTensor().name())
        .setSaveTensorName(saver.saveTensor().name())
        .setRestoreOpName(saver.restoreOp().name())
        .setMaxToKeep(options.maxToKeep())
        .setSharded(options.sharded())
        .setKeepCheckpointEveryNHours(options.keepEvery().toMinutes() / 60f)
        .setVersion(SaverDef.CheckpointFormatVersion.V2)
        .build();
  }
}
