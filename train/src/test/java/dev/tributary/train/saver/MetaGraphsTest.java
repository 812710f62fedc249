package dev.tributary.train.saver;

import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static dev.tributary.testing.SavedModelFolder.string;
import static dev.tributary.testing.SavedModelFolder.strings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.FunctionGraphs;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.QueueRunner;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.QueueRunnerDef;
import org.tensorflow.proto.SaverDef;
import org.tensorflow.proto.VariableDef;

class MetaGraphsTest {
  @Test
  void export_ofModel_hasWhatTensorFlowBuildsItFrom() throws Exception {
    Ops tf = Ops.create();
    VariableScope scope = VariableScope.of(tf);
    var w = scope.getVariable("w", Shape.of(2));
    scope.getPartitionedVariable(
        VariableSpec.of("t", Shape.of(3, 2)).withoutTraining(), Partitioner.fixedSize(2, 0));
    var step = GlobalStep.create(tf);
    var train = new GradientDescentOptimizer(0.1).minimize(tf, tf.sum(w.value(), 0), step);
    Queue queue = tf.withName("q").queues.fifoQueue(QueueOptions.of(3, DataType.FLOAT));
    QueueRunner runner = QueueRunner.of(queue, List.of(queue.enqueue(tf.constant(1f))));
    runner.addTo(tf.graph());
    Saver saver = Saver.of(tf.graph());

    MetaGraphDef meta = MetaGraphs.toProto(tf.graph(), saver);

    assertThat(meta.getGraphDef().getNodeCount()).isEqualTo(tf.graph().size());
    assertThat(meta.getSaverDef().getFilenameTensorName()).isEqualTo("save/Const:0");
    assertThat(meta.getSaverDef().getRestoreOpName()).isEqualTo("save/restore_all");
    assertThat(meta.getSaverDef().getVersion()).isEqualTo(SaverDef.CheckpointFormatVersion.V2);
    CollectionDef variables = meta.getCollectionDefOrThrow("variables");
    assertThat(variables.getBytesList().getValueCount()).isEqualTo(4);
    VariableDef first = VariableDef.parseFrom(variables.getBytesList().getValue(0));
    assertThat(first.getVariableName()).isEqualTo("w:0");
    assertThat(first.getInitializerName()).isEqualTo("w/Assign");
    assertThat(first.getSnapshotName()).isEqualTo("w/Read/ReadVariableOp:0");
    assertThat(first.getIsResource()).isTrue();
    assertThat(first.getTrainable()).isTrue();
    VariableDef part = VariableDef.parseFrom(variables.getBytesList().getValue(2));
    assertThat(part.getTrainable()).isFalse();
    assertThat(part.getSaveSliceInfoDef().getFullName()).isEqualTo("t");
    assertThat(part.getSaveSliceInfoDef().getVarOffsetList()).containsExactly(2L, 0L);
    assertThat(part.getSaveSliceInfoDef().getVarShapeList()).containsExactly(1L, 2L);
    assertThat(meta.getCollectionDefOrThrow("trainable_variables").getBytesList().getValueCount())
        .isEqualTo(1);
    assertThat(meta.getCollectionDefOrThrow("train_op").getNodeList().getValueList())
        .containsExactly(train.name());
    QueueRunnerDef runnerDef =
        QueueRunnerDef.parseFrom(
            meta.getCollectionDefOrThrow("queue_runners").getBytesList().getValue(0));
    assertThat(runnerDef.getQueueName()).isEqualTo("q:0");
    assertThat(runnerDef.getEnqueueOpNameCount()).isEqualTo(1);
    assertThat(runnerDef.getQueueClosedExceptionTypesValueList()).containsExactly(11);
  }

  @Test
  void importInto_ofExport_bringsVariablesCollectionsAndTheSaver(@TempDir Path folder) {
    Ops tf = Ops.create();
    VariableScope scope = VariableScope.of(tf);
    var w = scope.getVariable("w", Shape.of(2));
    scope.getPartitionedVariable(
        VariableSpec.of("t", Shape.of(3, 2)).withoutTraining(), Partitioner.fixedSize(2, 0));
    var step = GlobalStep.create(tf);
    var train = new GradientDescentOptimizer(0.1).minimize(tf, tf.sum(w.value(), 0), step);
    Saver saver = Saver.of(tf.graph());
    Path checkpoint = folder.resolve("model");
    float[] saved;
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      session.run(train);
      saved = session.fetch(w).toFloats();
      saver.save(session, checkpoint);
    }
    MetaGraphDef meta = MetaGraphs.toProto(tf.graph(), saver);
    tf.graph().close();

    try (Graph graph = Ops.create().graph()) {
      Saver imported = MetaGraphs.importInto(graph, meta).orElseThrow();

      assertThat(Variables.global(graph))
          .extracting(Variable::name)
          .containsExactly("w", "t/part_0", "t/part_1", "global_step");
      assertThat(Variables.global(graph).get(2).slice().orElseThrow().offset())
          .containsExactly(2L, 0L);
      assertThat(Variables.trainable(graph)).containsExactly(Variables.global(graph).get(0));
      assertThat(graph.collection("train_op")).containsExactly(graph.operation(train.name()));
      try (Session session = Session.local(graph)) {
        imported.restore(session, checkpoint);
        session.run(graph.operation(train.name()));
        assertThat(session.fetch(Variables.global(graph).get(0)).toFloats()[0])
            .isCloseTo(saved[0] - 0.1f, Offset.offset(1e-6f));
        assertThat(session.fetch(graph.output("global_step/Read/ReadVariableOp:0")).longValue())
            .isEqualTo(2);
      }
    }
  }

  /** As TensorFlow wrote it until 2016: checkpoints are one file each, without an index. */
  @Test
  void importInto_saverOfVersion1_savesAndRestoresTheLatest(@TempDir Path folder) {
    MetaGraphDef meta =
        MetaGraphDef.newBuilder()
            .setGraphDef(
                FunctionGraphs.def(
                    node("v", "VarHandleOp", "", "dtype=float", "shape=()", "shared_name='v'"),
                    node("read", "ReadVariableOp", "v", "dtype=float"),
                    placeholder("x", "float"),
                    node("assign", "AssignVariableOp", "v, x", "dtype=float"),
                    string("file", "model"),
                    strings("names", "v"),
                    strings("slices", ""),
                    node("save", "SaveSlices", "file, names, slices, read", "T=[float]"),
                    node("saved", "Identity", "file, ^save", "T=string"),
                    string("name", "v"),
                    string("slice", ""),
                    node("old", "RestoreSlice", "file, name, slice", "dt=float"),
                    node("set", "AssignVariableOp", "v, old", "dtype=float"),
                    node("restore", "NoOp", "^set")))
            .setSaverDef(
                SaverDef.newBuilder()
                    .setVersion(SaverDef.CheckpointFormatVersion.V1)
                    .setFilenameTensorName("file:0")
                    .setSaveTensorName("saved:0")
                    .setRestoreOpName("restore")
                    .setMaxToKeep(1)
                    .setKeepCheckpointEveryNHours(10_000))
            .build();
    Path prefix = folder.resolve("model.ckpt");
    try (Graph graph = Ops.create().graph()) {
      Saver saver = MetaGraphs.importInto(graph, meta).orElseThrow();
      try (Session session = Session.local(graph)) {
        for (int step = 1; step <= 2; step++) {
          session.run(graph.operation("assign"), Feeds.of(graph.output("x:0"), (float) step));
          saver.save(session, prefix, step);
        }
        session.run(graph.operation("assign"), Feeds.of(graph.output("x:0"), 9f));

        assertThat(folder.resolve("model.ckpt-1")).doesNotExist();
        assertThat(saver.restoreLatest(session, folder)).contains(folder.resolve("model.ckpt-2"));
        assertThat(session.fetch(graph.output("read:0")).floatValue()).isEqualTo(2);
      }
    }
  }
}
