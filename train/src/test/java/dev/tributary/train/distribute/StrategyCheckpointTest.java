package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.saver.MetaGraphs;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Variables;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.VariableAggregation;
import org.tensorflow.proto.VariableDef;
import org.tensorflow.proto.VariableSynchronization;

/** Checkpoints hold one value of each variable, so that they fit every strategy. */
class StrategyCheckpointTest {
  @TempDir Path folder;

  private static List<Strategy> strategies() {
    return List.of(
        OneDeviceStrategy.of("/device:CPU:0"),
        MirroredStrategy.of(3),
        CentralStorageStrategy.of(2));
  }

  static Stream<Arguments> pairs() {
    return strategies().stream()
        .flatMap(from -> strategies().stream().map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void training_resumedUnderAnotherStrategy_continuesAsTheFirst(Strategy from, Strategy to) {
    SmallNet first = SmallNet.under(from).build();
    SmallNet second = SmallNet.under(to).build();
    Saver saver = Saver.of(first.tf.graph());
    Saver restorer = Saver.of(second.tf.graph());
    int batches = SmallNet.EXAMPLES / SmallNet.BATCH;
    try (Session writing = first.start();
        Session reading = second.start()) {
      first.train(writing, batches);
      Path checkpoint = saver.save(writing, folder.resolve("model.ckpt"));
      List<Float> wanted = first.train(writing, batches);

      restorer.restore(reading, checkpoint);
      List<Float> losses = second.train(reading, batches);

      for (int i = 0; i < batches; i++) {
        assertThat(losses.get(i)).isEqualTo(wanted.get(i), Offset.offset(1e-5f));
      }
      assertThat(reading.fetch(second.step).longValue()).isEqualTo(2L * batches);
    }
  }

  @Test
  void checkpoint_ofMirroredModel_hasThePlainNames() {
    SmallNet net = SmallNet.under(MirroredStrategy.of(2)).build();
    Saver saver = Saver.of(net.tf.graph());
    try (Session session = net.start()) {
      Path checkpoint = saver.save(session, folder.resolve("model.ckpt"));
      try (BundleReader reader = BundleReader.open(checkpoint)) {
        assertThat(reader.names())
            .containsExactlyInAnyOrder(
                "beta1_power",
                "beta2_power",
                "global_step",
                "hidden/bias",
                "hidden/bias/Adam",
                "hidden/bias/Adam_1",
                "hidden/kernel",
                "hidden/kernel/Adam",
                "hidden/kernel/Adam_1",
                "logits/bias",
                "logits/bias/Adam",
                "logits/bias/Adam_1",
                "logits/kernel",
                "logits/kernel/Adam",
                "logits/kernel/Adam_1");
      }
    }
  }

  @Test
  void metaGraph_ofMirroredModel_hasTheRulesOfItsVariables() throws Exception {
    SmallNet net = SmallNet.under(MirroredStrategy.of(2)).build();
    CollectionDef variables =
        MetaGraphs.toProto(net.tf.graph()).getCollectionDefOrThrow(GraphKeys.GLOBAL_VARIABLES);

    for (ByteString message : variables.getBytesList().getValueList()) {
      VariableDef variable = VariableDef.parseFrom(message);
      boolean counts = variable.getVariableName().equals("global_step:0");
      assertThat(variable.getSynchronization())
          .isEqualTo(VariableSynchronization.VARIABLE_SYNCHRONIZATION_ON_WRITE);
      assertThat(variable.getAggregation())
          .isEqualTo(
              counts
                  ? VariableAggregation.VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA
                  : VariableAggregation.VARIABLE_AGGREGATION_NONE);
    }
  }

  @Test
  void restore_intoMirroredModel_setsAllCopies() {
    SmallNet net = SmallNet.under(MirroredStrategy.of(3)).build();
    Saver saver = Saver.of(net.tf.graph());
    try (Session session = net.start()) {
      net.train(session, 2);
      Path checkpoint = saver.save(session, folder.resolve("model.ckpt"));
      net.train(session, 2);
      saver.restore(session, checkpoint);

      assertThat(session.fetch(net.step).longValue()).isEqualTo(2);
      for (Variable variable : Variables.global(net.tf.graph())) {
        List<Variable> copies = variable.copies().orElseThrow().all();
        for (Variable copy : copies) {
          assertThat(session.fetch(copy.value()).toBytes())
              .isEqualTo(session.fetch(copies.get(0).value()).toBytes());
        }
      }
    }
  }
}
