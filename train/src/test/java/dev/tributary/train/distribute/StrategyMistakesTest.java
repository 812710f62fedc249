package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.train.data.Dataset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Wrong uses of strategies: each gets one clear error, and leaves no replica behind. */
class StrategyMistakesTest {
  private final Ops tf = Ops.create();
  private final Strategy strategy = MirroredStrategy.of(2);

  private void assertRefused(Function<ReplicaContext, Object> program, String... parts) {
    assertThatThrownBy(() -> strategy.run(tf, program))
        .isInstanceOf(TributaryException.class)
        .hasMessageContainingAll(parts);
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .noneMatch(name -> name.startsWith("tributary-replica"));
    // The graph takes a correct program after that.
    assertThat(strategy.run(tf, ReplicaContext::replicaId).values()).containsExactly(0, 1);
  }

  @Test
  void device_twice_fails() {
    assertThatThrownBy(() -> MirroredStrategy.of(List.of("/cpu:0", "/device:CPU:0")))
        .hasMessageContaining("device '/device:CPU:0' comes twice");
    assertThatThrownBy(() -> MirroredStrategy.of(List.of()))
        .hasMessageContaining("needs at least one device");
    assertThatThrownBy(() -> MirroredStrategy.of(0))
        .hasMessageContaining("at least one replica, got 0");
  }

  @Test
  void results_ofDifferentStructures_fail() {
    assertRefused(
        replica ->
            replica.replicaId() == 0
                ? List.of(replica.tf().constant(1f))
                : List.of(replica.tf().constant(1f), replica.tf().constant(2f)),
        "[float tensor] in replica 0 and [float tensor, float tensor] in replica 1");
    assertRefused(
        replica -> Map.of(replica.replicaId() == 0 ? "loss" : "error", replica.tf().constant(1f)),
        "{loss: float tensor} in replica 0 and {error: float tensor} in replica 1");
    assertRefused(
        replica -> replica.replicaId() == 0 ? replica.tf().constant(1f) : replica.tf().constant(1),
        "float tensor in replica 0 and int32 tensor in replica 1");
  }

  @Test
  void mergeCalls_ofDifferentNumber_fail() {
    assertRefused(
        replica ->
            replica.replicaId() == 1
                ? 0
                : replica.allReduce(ReduceOp.SUM, replica.tf().constant(1f)),
        "replica 1 has ended while replica 0 waits in a merge call");
    assertRefused(
        replica ->
            replica.replicaId() == 0
                ? 0
                : replica.allReduce(ReduceOp.SUM, replica.tf().constant(1f)),
        "replica 0 has ended while replica 1 waits in a merge call");
  }

  @Test
  void variables_differentInReplicas_fail() {
    assertRefused(
        replica -> replica.tf().variable("w" + replica.replicaId(), 1f),
        "replica 1 makes variable 'w1', which replica 0 has not made");
    assertRefused(
        replica -> replica.tf().variable("shaped", new float[1 + replica.replicaId()]).name(),
        "replica 1 makes variable 'shaped' as float [2]");
  }

  @Test
  void failure_inOneReplica_isThrownAndEndsTheOthers() {
    assertRefused(
        replica -> {
          replica.allReduce(ReduceOp.SUM, replica.tf().constant(1f));
          if (replica.replicaId() == 1) {
            throw TributaryException.invalidArgument("replica one is wrong");
          }
          return replica.allReduce(ReduceOp.SUM, replica.tf().constant(1f));
        },
        "replica one is wrong");
  }

  @Test
  void allReduce_ofDifferentShapes_fails() {
    assertRefused(
        replica ->
            replica.allReduce(
                ReduceOp.SUM, replica.tf().constant(new float[1 + replica.replicaId()])),
        "replica 0 has",
        "replica 1 has");
  }

  @Test
  void allReduce_inACond_fails() {
    assertRefused(
        replica ->
            replica
                .tf()
                .flow
                .cond(
                    replica.tf().constant(true),
                    branch -> List.of(replica.allReduce(ReduceOp.SUM, branch.constant(1f))),
                    branch -> List.of(branch.constant(2f))),
        "replica 0 reduces",
        "which is made in a cond, a loop or a function");
  }

  @Test
  void scope_ofAnotherStrategyInside_fails() {
    try (StrategyScope open = strategy.scope(tf);
        StrategyScope again = strategy.scope(open.tf())) {
      assertThatThrownBy(() -> MirroredStrategy.of(3).scope(again.tf()))
          .hasMessageContaining("a graph has one strategy at a time");
    }
    MirroredStrategy.of(3).scope(tf).close();
  }

  @Test
  void run_inReplica_fails() {
    assertRefused(replica -> strategy.run(replica.tf(), inner -> 1).first(), "is run in a replica");
  }

  @Test
  void replica_keptAfterItsRun_cannotMerge() {
    ReplicaContext kept = strategy.run(tf, replica -> replica).first();

    assertThatThrownBy(() -> kept.allReduce(ReduceOp.SUM, tf.constant(1f)))
        .hasMessageContaining("while it does not run");
  }

  @Test
  void argument_ofAnotherNumberOfReplicas_fails() {
    assertThatThrownBy(() -> strategy.run(tf, PerReplica.same(3, 1), (replica, value) -> value))
        .hasMessageContaining("has 2 replicas in this process, the argument has values for 3");
  }

  @Test
  void dataset_withoutBatches_fails() {
    assertThatThrownBy(() -> strategy.makeDatasetIterator(tf, Dataset.range(4)))
        .hasMessageContaining("have no batch dimension");
    assertThatThrownBy(() -> new InputContext(1, 0, 3).perReplicaBatchSize(8))
        .hasMessageContaining("global batch size 8 cannot be divided");
  }

  @Test
  void crossDeviceOps_withTooFewSums_fail() {
    Strategy wrong =
        MirroredStrategy.of(2)
            .withCrossDeviceOps((ops, values, destinations) -> values.subList(0, 1));

    assertThatThrownBy(
            () ->
                wrong.run(
                    tf, replica -> replica.allReduce(ReduceOp.SUM, replica.tf().constant(1f))))
        .hasMessageContaining("must return a sum for each destination");
  }
}
