package dev.tributary.train.saver;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.ImportOptions;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.GraphKeys;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SaveSliceInfoDef;
import org.tensorflow.proto.SaverDef;
import org.tensorflow.proto.VariableDef;

/** One import of a MetaGraphDef into a graph. Confined to one thread. */
final class MetaGraphImport {
  /** Collections whose elements are variables, as messages. */
  private static final Set<String> OF_VARIABLES =
      Set.of(
          GraphKeys.GLOBAL_VARIABLES,
          GraphKeys.TRAINABLE_VARIABLES,
          GraphKeys.LOCAL_VARIABLES,
          GraphKeys.MODEL_VARIABLES,
          GraphKeys.METRIC_VARIABLES,
          GraphKeys.MOVING_AVERAGE_VARIABLES,
          GraphKeys.GLOBAL_STEP);

  private final Graph graph;
  private final MetaGraphDef meta;

  /** By their names, since most variables are in several collections. */
  private final Map<String, Optional<Variable>> variables = new HashMap<>();

  MetaGraphImport(Graph graph, MetaGraphDef meta) {
    this.graph = graph;
    this.meta = meta;
  }

  Optional<Saver> run() {
    GraphDefs.importInto(graph, meta.getGraphDef(), ImportOptions.defaults().withInternalNames());
    meta.getCollectionDefMap()
        .forEach(
            (name, collection) -> {
              if (OF_VARIABLES.contains(name)) {
                addVariables(name, collection);
              } else {
                addNodes(name, collection);
              }
            });
    return meta.hasSaverDef() ? saver(meta.getSaverDef()) : Optional.empty();
  }

  private void addVariables(String collection, CollectionDef def) {
    for (ByteString bytes : def.getBytesList().getValueList()) {
      VariableDef variable;
      try {
        variable = VariableDef.parseFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new TributaryException(
            ErrorCode.DATA_LOSS,
            "collection '"
                + collection
                + "' has an element that is not a VariableDef: "
                + e.getMessage(),
            e);
      }
      variables
          .computeIfAbsent(variable.getVariableName(), name -> variable(variable))
          .ifPresent(known -> graph.addToCollection(collection, known));
    }
  }

  private void addNodes(String collection, CollectionDef def) {
    for (String name : def.getNodeList().getValueList()) {
      if (name.contains(":")) {
        output(name).ifPresent(output -> graph.addToCollection(collection, output));
      } else {
        graph.find(name).ifPresent(operation -> graph.addToCollection(collection, operation));
      }
    }
  }

  /** The variable, if it is one of the kind that we have and all its operations are there. */
  private Optional<Variable> variable(VariableDef def) {
    Optional<Output> handle = output(def.getVariableName());
    Optional<Output> value = output(def.getSnapshotName());
    Optional<Operation> initializer = graph.find(def.getInitializerName());
    boolean isComplete =
        handle.filter(output -> output.type() == DataType.RESOURCE).isPresent()
            && value.isPresent()
            && initializer.filter(operation -> operation.inputs().size() == 2).isPresent();
    return isComplete
        ? Optional.of(Variable.existing(handle.get(), initializer.get(), value.get(), slice(def)))
        : Optional.empty();
  }

  private static Optional<VariableSlice> slice(VariableDef def) {
    if (!def.hasSaveSliceInfoDef() || def.getSaveSliceInfoDef().getFullShapeCount() == 0) {
      return Optional.empty();
    }
    SaveSliceInfoDef info = def.getSaveSliceInfoDef();
    return Optional.of(
        new VariableSlice(
            info.getFullName(),
            Shape.of(info.getFullShapeList().stream().mapToLong(Long::longValue).toArray()),
            info.getVarOffsetList(),
            Shape.of(info.getVarShapeList().stream().mapToLong(Long::longValue).toArray())));
  }

  private Optional<Saver> saver(SaverDef def) {
    Optional<Output> filename = output(def.getFilenameTensorName());
    Optional<Output> save = output(def.getSaveTensorName());
    Optional<Operation> restore = graph.find(def.getRestoreOpName());
    if (filename.isEmpty() || save.isEmpty() || restore.isEmpty()) {
      return Optional.empty();
    }
    SaverOptions options =
        new SaverOptions(
            Math.max(0, def.getMaxToKeep()),
            Duration.ofMinutes((long) (60 * def.getKeepCheckpointEveryNHours())),
            def.getSharded(),
            Clock.systemUTC());
    return Optional.of(
        Saver.existing(new SaverGraph(filename.get(), save.get(), restore.get()), options));
  }

  /** The output of this name, if the graph has it: nodes may have been left out. */
  private Optional<Output> output(String name) {
    return name.isEmpty() ? Optional.empty() : graph.findOutput(name);
  }
}
