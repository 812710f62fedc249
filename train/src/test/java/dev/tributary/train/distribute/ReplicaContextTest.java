package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.BatchNormalization;
import dev.tributary.train.model.Losses;
import dev.tributary.train.model.Metric;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The view of code in replicas, and the values that replicas compute together. */
class ReplicaContextTest {
  private static final Offset<Float> CLOSE = Offset.offset(1e-6f);

  private final Ops tf = Ops.create();
  private final Strategy strategy = MirroredStrategy.of(2);
  private final VariableScope scope = VariableScope.of(tf);

  private Session start() {
    Operation init = Variables.globalInitializer(tf);
    Operation local = Variables.localInitializer(tf);
    Session session = Session.local(tf.graph(), strategy.configure(SessionOptions.defaults()));
    session.run(init, local);
    return session;
  }

  private float value(Operand operand) {
    try (Session session = start()) {
      return session.fetch(operand).floatValue();
    }
  }

  @Test
  void operations_ofReplicas_areOnTheirDevicesUnderTheirNames() {
    PerReplica<Output> ones = strategy.run(tf, replica -> replica.tf().withName("x").constant(1f));

    assertThat(ones.values().stream().map(one -> one.operation().name()))
        .containsExactly("x", "replica_1/x");
    assertThat(ones.values().stream().map(one -> one.operation().device().toString()))
        .containsExactly("/device:CPU:0", "/device:CPU:1");
  }

  @Test
  void mergeCall_ofAllReplicas_runsOnceAndHandsPartsBack() {
    int[] calls = new int[1];
    PerReplica<String> results =
        strategy.run(
            tf,
            replica ->
                replica.<Integer, String>mergeCall(
                    replica.replicaId(),
                    (cross, all) -> {
                      calls[0]++;
                      assertThat(ReplicaContext.current(tf.graph())).isEmpty();
                      assertThat(all.values()).containsExactly(0, 1);
                      return all.map(id -> "part " + id);
                    }));

    assertThat(results.values()).containsExactly("part 0", "part 1");
    assertThat(calls[0]).isEqualTo(1);
  }

  @Test
  void allReduce_meanAndSum_areTheSameInAllReplicas() {
    PerReplica<List<Output>> results =
        strategy.run(
            tf,
            replica -> {
              Output own = replica.tf().constant(1f + 2 * replica.replicaId());
              return List.of(
                  replica.allReduce(ReduceOp.SUM, own), replica.allReduce(ReduceOp.MEAN, own));
            });
    try (Session session = start()) {
      for (List<Output> each : results.values()) {
        assertThat(session.fetch(each.get(0)).floatValue()).isEqualTo(4f);
        assertThat(session.fetch(each.get(1)).floatValue()).isEqualTo(2f);
      }
    }
  }

  @Test
  void reduce_alongAxisOfUnequalBatches_countsEachElementOnce() {
    PerReplica<Output> each =
        strategy.run(
            tf,
            replica ->
                replica.replicaId() == 0
                    ? replica.tf().constant(1f, 2f, 3f)
                    : replica.tf().constant(new float[] {10f}));

    assertThat(value(strategy.reduce(tf, ReduceOp.MEAN, each, 0))).isEqualTo(4f);
    assertThat(value(strategy.reduce(tf, ReduceOp.SUM, each, 0))).isEqualTo(16f);
    assertThat(strategy.localResults(each)).hasSize(2);
  }

  @Test
  void minimize_lossThatSharesValues_seesTheOtherReplicasPart() {
    // The loss of a replica is (own w x_i) * (sum of all w x_j): d/dw of both is 2 w (x_0 + x_1)^2.
    Variable w = weight(1);
    strategy.run(
        tf,
        replica -> {
          Output own =
              replica.tf().mul(w, replica.tf().constant(replica.replicaId() == 0 ? 1f : 2f));
          Output all = replica.allReduce(ReduceOp.SUM, own);
          return new GradientDescentOptimizer(0.1)
              .minimize(replica.tf(), replica.tf().mul(own, all));
        });
    assertThat(tf.graph().collection(GraphKeys.TRAIN_OP)).hasSize(1);
    Operation train = (Operation) tf.graph().collection(GraphKeys.TRAIN_OP).get(0);
    try (Session session = start()) {
      session.run(train);
      assertThat(session.fetch(w).floatValue()).isEqualTo(1f - 0.1f * 18, CLOSE);
    }
  }

  private Variable weight(float initial) {
    try (StrategyScope open = strategy.scope(tf)) {
      return scope
          .withOps(open.tf())
          .getVariable("w", Shape.scalar(), Initializers.constant(initial));
    }
  }

  @Test
  void applyGradients_sparse_addsUpRowsOfAllReplicas() {
    Variable table;
    try (StrategyScope open = strategy.scope(tf)) {
      table = scope.withOps(open.tf()).getVariable("table", Shape.of(3, 1), Initializers.zeros());
    }
    GradientDescentOptimizer sgd = new GradientDescentOptimizer(1);
    Operation train =
        strategy
            .run(
                tf,
                replica -> {
                  Output rows =
                      replica.tf().gather(table, replica.tf().constant(0, 1 + replica.replicaId()));
                  Output loss = replica.tf().sum(rows, 0, 1);
                  List<GradientAndVariable> gradients = sgd.computeGradients(replica.tf(), loss);
                  assertThat(gradients.get(0).gradient()).isInstanceOf(IndexedSlices.class);
                  return sgd.applyGradients(replica.tf(), gradients);
                })
            .first();
    try (Session session = start()) {
      session.run(train);
      for (Variable copy : table.copies().orElseThrow().all()) {
        assertThat(session.fetch(copy.value()).toFloats()).containsExactly(-2, -1, -1);
      }
    }
  }

  @Test
  void averageLoss_ofUnequalBatches_isTheMeanOverTheGlobalBatch() {
    PerReplica<Output> losses =
        strategy.run(
            tf,
            replica -> {
              Output each =
                  replica.replicaId() == 0
                      ? replica.tf().constant(1f, 2f, 3f)
                      : replica.tf().constant(new float[] {10f});
              return Losses.computeAverageLoss(replica.tf(), each, 4);
            });
    PerReplica<Output> regularization =
        strategy.run(
            tf, replica -> Losses.scaleRegularizationLoss(replica.tf(), replica.tf().constant(3f)));

    assertThat(value(strategy.reduce(tf, ReduceOp.SUM, losses))).isEqualTo(4f);
    assertThat(value(strategy.reduce(tf, ReduceOp.SUM, regularization))).isEqualTo(3f);
  }

  @Test
  void totalLoss_inReplica_hasTheLossesOfThatReplica() {
    PerReplica<Output> totals =
        strategy.run(
            tf,
            replica -> {
              Output y = replica.tf().constant(new float[] {1f + replica.replicaId()});
              Losses.meanSquaredError(replica.tf().constant(new float[1]), y);
              return Losses.total(replica.tf());
            });

    assertThat(value(totals.get(0))).isEqualTo(1f);
    assertThat(value(totals.get(1))).isEqualTo(4f);
  }

  @Test
  void metrics_ofReplicas_countAllOfThem() {
    PerReplica<Metric> metrics =
        strategy.run(
            tf,
            replica -> {
              Output values =
                  replica.replicaId() == 0
                      ? replica.tf().constant(1f, 2f, 3f)
                      : replica.tf().constant(new float[] {10f});
              return Metrics.of(replica.in(scope)).mean(values);
            });
    try (Session session = start()) {
      session.fetch(metrics.get(0).update());
      session.fetch(metrics.get(1).update());
      assertThat(session.fetch(metrics.get(0).value()).floatValue()).isEqualTo(4f);
      assertThat(session.fetch(metrics.get(1).value()).floatValue()).isEqualTo(4f);
    }
  }

  @Test
  void batchNormalization_ofEachReplica_averagesTheMovingMeans() {
    strategy.run(
        tf,
        replica -> {
          float start = replica.replicaId() * 10f;
          Output x = replica.tf().constant(Shape.of(2, 1), start, start + 2);
          return new BatchNormalization(true, 0, 1e-3).apply(replica.in(scope).open("bn"), x);
        });
    Variable mean =
        Variables.global(tf.graph()).stream()
            .filter(variable -> variable.name().equals("bn/moving_mean"))
            .findFirst()
            .orElseThrow();
    Output whole = mean.value();
    Operation[] updates =
        tf.graph().collection(GraphKeys.UPDATE_OPS).stream()
            .map(Operation.class::cast)
            .toArray(Operation[]::new);
    try (Session session = start()) {
      session.run(updates);
      List<Variable> copies = mean.copies().orElseThrow().all();
      assertThat(session.fetch(copies.get(0).value()).toFloats()).containsExactly(1f);
      assertThat(session.fetch(copies.get(1).value()).toFloats()).containsExactly(11f);
      assertThat(session.fetch(whole).toFloats()).containsExactly(6f);
    }
  }
}
