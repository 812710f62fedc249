package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

class DescentFusionTest {
  private final Ops tf = Ops.create();
  private final Output rate = tf.constant(0.5f);
  private final Output a = matrix(1, 2, 3, 4, 5, 6);
  private final Output b = matrix(1, 0, -1, 2, 0, 1);
  private final Variable w = tf.variable("w", tf.constant(square(10, 20, 30, 40)));

  @Test
  void run_productForDescentOnly_isOneNodeInTheUpdatesPlace() {
    StepGraph graph = graph(update(tf.matMul(a, b, true, false)));

    assertThat(DescentFusion.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    assertThat(Steps.count(graph, "MatMul")).isZero();
    StepNode fused = node(graph, "_FusedResourceApplyGradientDescent");
    assertThat(graph.isRoot(fused)).isTrue();
    assertThat(fused.inputs()).hasSize(4);
    assertThat(fused.attributes().bool("transpose_a")).isTrue();
    assertThat(fused.attributes().bool("transpose_b")).isFalse();
  }

  @Test
  void run_productWantedElsewhere_doesNotFire() {
    Output product = tf.matMul(a, b, true, false);
    Operation update = update(product);
    StepGraph fetched =
        Pruner.prune(
            tf.graph(), new StepSignature(List.of(), List.of(tf.neg(product)), List.of(update)));
    StepGraph targeted = graph(update, product.operation());

    assertThat(DescentFusion.run(fetched)).isZero();
    assertThat(DescentFusion.run(targeted)).isZero();
  }

  @Test
  void run_otherGradientTypeOrDevice_doesNotFire() {
    StepGraph apart = graph(update(tf.matMul(a, b, true, false)));
    node(apart, "MatMul").place("/other");
    Output doubles = tf.placeholder(DataType.DOUBLE, Shape.of(2, 2));
    Variable wide = tf.variable("wide", doubles);
    Operation ofDoubles =
        tf.training.applyGradientDescent(
            wide.handle(),
            tf.placeholder(DataType.DOUBLE, Shape.scalar()),
            tf.matMul(doubles, doubles));

    assertThat(DescentFusion.run(apart)).isZero();
    assertThat(DescentFusion.run(graph(ofDoubles))).isZero();
    assertThat(DescentFusion.run(graph(update(tf.neg(w.value()))))).isZero();
  }

  @Test
  void run_controlEdgesOfBoth_areKept() {
    Output product =
        tf.scope()
            .operation("MatMul")
            .input(a)
            .input(b)
            .attr("transpose_a", true)
            .controlInput(rate.operation())
            .buildOutput();
    Operation before = tf.noOp();
    Operation update =
        tf.withControlDependencies(before).training.applyGradientDescent(w.handle(), rate, product);
    StepGraph graph = graph(update);
    DescentFusion.run(graph);

    assertThat(node(graph, "_FusedResourceApplyGradientDescent").controlInputs())
        .extracting(StepNode::name)
        .containsExactlyInAnyOrder(rate.operation().name(), before.name());
  }

  @Test
  void step_eitherKindOfVariable_isChangedByTheProduct() {
    Output ref = tf.state.variableV2(DataType.FLOAT, Shape.of(2, 2));
    Operation init = tf.state.assign(ref, tf.constant(square(10, 20, 30, 40))).operation();
    Output product = tf.matMul(a, b, true, false);
    Operation byRef = tf.training.applyGradientDescent(ref, rate, tf.matMul(a, b, true, false));
    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      session.run(init);
      session.run(update(product));
      session.run(byRef);

      // a^T b = [[1 - 3, 6 + 5], [2 - 4, 8 + 6]]
      assertThat(fetch(session, w.value())).containsExactly(11, 14.5f, 31, 33);
      assertThat(fetch(session, tf.identity(ref))).containsExactly(11, 14.5f, 31, 33);
    }
  }

  @Test
  void step_productOfTheVariableItself_readsTheOldValue() {
    Operation update = update(tf.matMul(w.value(), w.value()));
    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      session.run(update);

      // w w = [[700, 1000], [1500, 2200]]
      assertThat(fetch(session, w.value())).containsExactly(-340, -480, -720, -1060);
    }
  }

  @Test
  void step_otherShapeThanTheVariable_failsAndChangesNothing() {
    Output any = tf.placeholder(DataType.FLOAT, Shape.unknown());
    Operation update = update(tf.matMul(any, any));
    try (Session session = Session.local(tf.graph());
        Tensor three = Tensor.of(Shape.of(3, 3), new float[9])) {
      session.run(w.initializer());

      assertThatThrownBy(() -> session.runner().feed(any, three).target(update).run())
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("var and delta do not have the same shape: [2,2] and [3,3]");
      assertThat(fetch(session, w.value())).containsExactly(10, 20, 30, 40);
    }
  }

  @Test
  void step_emptyProduct_changesNothing() {
    Output rows = tf.placeholder(DataType.FLOAT, Shape.of(-1, 2));
    Operation update = update(tf.matMul(rows, rows, true, false));
    try (Session session = Session.local(tf.graph());
        Tensor none = Tensor.of(Shape.of(0, 2), new float[0])) {
      session.run(w.initializer());
      session.runner().feed(rows, none).target(update).run().close();

      assertThat(fetch(session, w.value())).containsExactly(10, 20, 30, 40);
    }
  }

  private Operation update(Output gradient) {
    return tf.training.applyGradientDescent(w.handle(), rate, gradient);
  }

  private StepGraph graph(Operation... targets) {
    return Pruner.prune(tf.graph(), new StepSignature(List.of(), List.of(), List.of(targets)));
  }

  private static StepNode node(StepGraph graph, String op) {
    return graph.nodes().stream()
        .filter(n -> n.declaration().name().equals(op))
        .findFirst()
        .orElseThrow();
  }

  private static float[] fetch(Session session, Output value) {
    try (StepResult result = session.runner().fetch(value).run()) {
      return result.get(0).toFloats();
    }
  }

  private Output matrix(float... values) {
    return tf.constant(Shape.of(3, 2), values);
  }

  private static Tensor square(float... values) {
    return Tensor.of(Shape.of(2, 2), values);
  }
}
