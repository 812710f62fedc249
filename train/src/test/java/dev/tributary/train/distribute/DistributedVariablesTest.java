package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableAggregation;
import dev.tributary.ops.VariableSynchronization;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributedVariablesTest {
  private final Ops tf = Ops.create();
  private final Strategy strategy = MirroredStrategy.of(3);
  private final VariableScope scope = VariableScope.of(tf);

  private Variable variable(VariableSynchronization when, VariableAggregation how) {
    try (StrategyScope open = strategy.scope(tf)) {
      return scope
          .withOps(open.tf())
          .getVariable(
              VariableSpec.of("v", Shape.scalar())
                  .withInitializer(Initializers.constant(6))
                  .withCopies(when, how));
    }
  }

  private Session start() {
    Operation init = Variables.globalInitializer(tf);
    Session session = Session.local(tf.graph(), strategy.configure(SessionOptions.defaults()));
    session.run(init);
    return session;
  }

  private static List<Float> copies(Session session, Variable variable) {
    return variable.copies().orElseThrow().all().stream()
        .map(copy -> session.fetch(copy.value()).floatValue())
        .toList();
  }

  private Operation assignReplicaNumber(Variable variable) {
    return strategy
        .run(
            tf,
            replica ->
                variable.in(replica.tf()).assign(replica.tf().constant(1f + replica.replicaId())))
        .first();
  }

  @Test
  void copies_ofMirroredVariable_areNamedAndPlacedByReplica() {
    Variable v = variable(VariableSynchronization.AUTO, VariableAggregation.NONE);

    List<Operation> handles =
        v.copies().orElseThrow().all().stream().map(copy -> copy.handle().operation()).toList();
    assertThat(handles.stream().map(Operation::name))
        .containsExactly("v", "v/replica_1", "v/replica_2");
    assertThat(handles.stream().map(op -> op.device().toString()))
        .containsExactly("/device:CPU:0", "/device:CPU:1", "/device:CPU:2");
    assertThat(Variables.global(tf.graph()).stream().map(Variable::copies))
        .containsExactly(v.copies());
    assertThat(Variables.trainable(tf.graph())).hasSize(1);
  }

  @Test
  void initialValue_random_isDrawnOnceForAllCopies() {
    Variable v;
    try (StrategyScope open = strategy.scope(tf)) {
      v =
          scope
              .withOps(open.tf())
              .getVariable("v", Shape.scalar(), Initializers.randomNormal(0, 1));
    }
    try (Session session = start()) {
      List<Float> values = copies(session, v);
      assertThat(values).containsOnly(values.get(0));
    }
  }

  @ParameterizedTest
  @CsvSource({"SUM, 6", "MEAN, 2", "ONLY_FIRST_REPLICA, 1"})
  void assign_inReplicas_aggregatesForAllCopies(VariableAggregation how, float expected) {
    Variable v = variable(VariableSynchronization.ON_WRITE, how);
    Operation assign = assignReplicaNumber(v);
    try (Session session = start()) {
      session.run(assign);
      assertThat(copies(session, v)).containsOnly(expected);
    }
  }

  @Test
  void assign_inReplicasWithoutAggregation_fails() {
    Variable v = variable(VariableSynchronization.AUTO, VariableAggregation.NONE);

    assertThatThrownBy(() -> assignReplicaNumber(v))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("replica 0 assigns variable 'v' without an aggregation");
  }

  @Test
  void assign_outsideOfReplicas_changesAllCopies() {
    Variable v = variable(VariableSynchronization.AUTO, VariableAggregation.NONE);
    Operation add = v.assignAdd(tf.constant(2f));
    try (Session session = start()) {
      session.run(add);
      assertThat(copies(session, v)).containsOnly(8f);
    }
  }

  @ParameterizedTest
  @CsvSource({"SUM, 6", "MEAN, 2", "ONLY_FIRST_REPLICA, 1"})
  void read_ofSyncOnRead_aggregatesWhatReplicasWrote(VariableAggregation how, float expected) {
    Variable v = variable(VariableSynchronization.ON_READ, how);
    Output value = v.value();
    List<Operation> assigns =
        strategy
            .run(
                tf,
                replica ->
                    v.in(replica.tf()).assign(replica.tf().constant(1f + replica.replicaId())))
            .values();
    try (Session session = start()) {
      session.run(assigns.toArray(Operation[]::new));
      assertThat(copies(session, v)).containsExactly(1f, 2f, 3f);
      assertThat(session.fetch(value).floatValue()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"SUM", "MEAN", "ONLY_FIRST_REPLICA"})
  void assign_ofSyncOnReadOutsideOfReplicas_readsAsAssigned(VariableAggregation how) {
    Variable v = variable(VariableSynchronization.ON_READ, how);
    Operation assign = v.assign(tf.constant(0.7f));
    Output value = v.value();
    try (Session session = start()) {
      session.run(assign);
      assertThat(session.fetch(value).floatValue()).isEqualTo(0.7f);
    }
  }

  @Test
  void add_toSumOfCopiesOutsideOfReplicas_fails() {
    Variable v = variable(VariableSynchronization.ON_READ, VariableAggregation.SUM);

    assertThatThrownBy(() -> v.assignAdd(tf.constant(1f)))
        .hasMessageContaining("variable 'v' is the sum of its copies");
  }

  @Test
  void read_ofSyncOnReadWithoutAggregation_failsOutsideOfReplicas() {
    Variable v = variable(VariableSynchronization.ON_READ, VariableAggregation.NONE);

    assertThatThrownBy(v::value).hasMessageContaining("no aggregation");
  }

  @Test
  void slots_ofMirroredVariable_areMirroredUnderPlainNames() {
    Variable v = variable(VariableSynchronization.AUTO, VariableAggregation.NONE);
    AdamOptimizer adam = new AdamOptimizer(0.1);
    strategy.run(tf, replica -> adam.minimize(replica.tf(), replica.tf().square(v)));

    assertThat(Variables.global(tf.graph()).stream().map(Variable::name))
        .containsExactlyInAnyOrder("v", "beta1_power", "beta2_power", "v/Adam", "v/Adam_1");
    assertThat(
            adam.slot(v, "m").orElseThrow().copies().orElseThrow().all().stream()
                .map(Variable::name))
        .containsExactly("v/Adam", "v/Adam/replica_1", "v/Adam/replica_2");
  }

  @Test
  void variables_madeInReplicas_areSharedByOrder() {
    PerReplica<List<Variable>> made =
        strategy.run(
            tf,
            replica ->
                List.of(
                    replica.tf().variable("a", 1f),
                    replica.tf().withSubScope("inner").variable("a", 2f),
                    replica.in(scope).openNew("layer").getVariable("w", Shape.of(2))));

    assertThat(made.first().stream().map(Variable::name))
        .containsExactly("a", "inner/a", "layer/w");
    for (int i = 0; i < 3; i++) {
      assertThat(made.get(2).get(i).copies()).isEqualTo(made.first().get(i).copies());
    }
  }

  @Test
  void minimize_outsideOfReplicas_fails() {
    Variable v = variable(VariableSynchronization.AUTO, VariableAggregation.NONE);

    assertThatThrownBy(() -> new AdamOptimizer(0.1).minimize(tf.square(v)))
        .hasMessageContaining("variable 'v' belongs to a distribution strategy")
        .hasMessageContaining("strategy.run");
  }

  @Test
  void update_ofVariableFromOutsideTheScope_fails() {
    Variable plain = scope.getVariable("plain", Shape.scalar());

    assertThatThrownBy(
            () ->
                strategy.run(
                    tf, replica -> plain.in(replica.tf()).assign(replica.tf().constant(1f))))
        .hasMessageContaining("cannot change variable 'plain', which was created outside");
    assertThatThrownBy(
            () ->
                strategy.run(
                    tf,
                    replica ->
                        new AdamOptimizer(0.1).minimize(replica.tf(), replica.tf().square(plain))))
        .hasMessageContaining("variable 'plain' was created outside of the scope");
  }

  @Test
  void variable_ofAnotherStrategy_failsInReplica() {
    Variable v = variable(VariableSynchronization.AUTO, VariableAggregation.NONE);

    assertThatThrownBy(() -> MirroredStrategy.of(2).run(tf, replica -> replica.tf().square(v)))
        .hasMessageContaining("variable 'v' belongs to MirroredStrategy")
        .hasMessageContaining("cannot be used in a replica of MirroredStrategy");
  }
}
