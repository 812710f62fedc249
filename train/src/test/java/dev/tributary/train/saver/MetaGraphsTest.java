package dev.tributary.train.saver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.QueueRunner;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Partitioners;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
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
        VariableSpec.of("t", Shape.of(3, 2)).untrainable(), Partitioners.fixedSize(2, 0));
    var step = GlobalStep.create(tf);
    var train = new GradientDescentOptimizer(0.1).minimize(tf, tf.sum(w.value(), 0), step);
    Queue queue = tf.withName("q").queues.fifoQueue(QueueOptions.of(3, DataType.FLOAT));
    QueueRunner runner = QueueRunner.of(queue, List.of(queue.enqueue(tf.constant(1f))));
    runner.addTo(tf.graph());
    Saver saver = Saver.of(tf.graph());

    MetaGraphDef meta = MetaGraphDef.parseFrom(MetaGraphs.export(tf.graph(), saver));

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
}
