package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimplificationTest {
  private final Ops tf = Ops.create();
  private final Output x = tf.placeholder(DataType.FLOAT, Shape.of(2, -1, 3));
  private final Output unknown = tf.placeholder(DataType.FLOAT, Shape.unknown());

  @Test
  void neutralElement_onItsSide_isLeftOut() {
    assertThat(standIn(tf.mul(x, tf.constant(1f)))).isEqualTo(name(x));
    assertThat(standIn(tf.mul(tf.constant(1f), x))).isEqualTo(name(x));
    assertThat(standIn(tf.add(x, tf.constant(0f)))).isEqualTo(name(x));
    assertThat(standIn(tf.add(tf.constant(0f), unknown))).isEqualTo(name(unknown));
    assertThat(standIn(tf.sub(x, tf.constant(0f)))).isEqualTo(name(x));
    assertThat(standIn(tf.div(x, tf.constant(1f)))).isEqualTo(name(x));
    Output whole = tf.placeholder(DataType.INT64, Shape.of(4));
    assertThat(standIn(tf.add(whole, tf.constant(0L)))).isEqualTo(name(whole));
  }

  @Test
  void neutralElement_onTheOtherSideOrOtherwise_stays() {
    requireKept(tf.sub(tf.constant(0f), x));
    requireKept(tf.div(tf.constant(1f), x));
    requireKept(tf.mul(x, tf.constant(0f)));
    requireKept(tf.add(x, tf.constant(1f)));
    requireKept(tf.mul(x, tf.constant(Float.NaN)));
  }

  @Test
  void neutralElement_thatMayBroaden_stays() {
    requireKept(tf.mul(unknown, tf.constant(new float[] {1, 1, 1})));
    requireKept(tf.add(unknown, tf.constant(Shape.of(1), 0f)));
  }

  @Test
  void passedValue_ofAnOpThatDoesNothing_isLeftOut() {
    assertThat(standIn(tf.identity(x))).isEqualTo(name(x));
    assertThat(standIn(tf.stopGradient(x))).isEqualTo(name(x));
    assertThat(standIn(op("PreventGradient", x))).isEqualTo(name(x));
    assertThat(standIn(tf.addN(List.of(x)))).isEqualTo(name(x));
    assertThat(standIn(cast(x, DataType.FLOAT))).isEqualTo(name(x));
  }

  @Test
  void passedValue_ofAnOpThatDoesSomething_stays() {
    requireKept(tf.addN(List.of(x, x)));
    requireKept(cast(x, DataType.DOUBLE));
    requireKept(op("CheckNumerics", "message", x));
  }

  @Test
  void passedValue_throughAReference_stays() {
    Output variable =
        tf.scope()
            .operation("VariableV2")
            .attr("shape", Shape.of(2))
            .attr("dtype", DataType.FLOAT)
            .buildOutput();

    requireKept(tf.identity(variable));
  }

  @Test
  void passedValue_behindAControlEdge_stays() {
    requireKept(
        tf.scope().operation("Identity").input(x).controlInput(unknown.operation()).buildOutput());
  }

  @Test
  void passedValue_onAnotherDevice_stays() {
    StepGraph graph = Steps.fetching(tf.graph(), tf.identity(x));
    graph.nodes().stream()
        .filter(n -> n.declaration().name().equals("Identity"))
        .forEach(n -> n.place("/other"));

    assertThat(Simplification.run(graph)).isZero();
  }

  @Test
  void passedValue_thatOthersWaitFor_staysForThemOnly() {
    Output copy = tf.identity(x);
    Operation waiting =
        tf.scope().operation("Neg").input(unknown).controlInput(copy.operation()).build();
    StepGraph graph = Steps.fetching(tf.graph(), copy, waiting.output(0));

    assertThat(Simplification.run(graph)).isZero();
    WellFormed.require(graph);
    assertThat(retval(graph, 0)).isEqualTo(name(x));
    assertThat(Steps.count(graph, "Identity")).isEqualTo(1);
  }

  @Test
  void passedValue_target_stays() {
    Operation target = tf.identity(x).operation();
    StepGraph graph =
        Pruner.prune(tf.graph(), new StepSignature(List.of(), List.of(), List.of(target)));

    assertThat(Simplification.run(graph)).isZero();
  }

  @Test
  void selfInverse_twice_isLeftOut() {
    assertThat(standIn(tf.neg(tf.neg(x)))).isEqualTo(name(x));
    Output flag = tf.placeholder(DataType.BOOL, Shape.of(2));
    assertThat(standIn(op("LogicalNot", op("LogicalNot", flag)))).isEqualTo(name(flag));
  }

  @Test
  void selfInverse_onceOrMixed_stays() {
    requireKept(tf.neg(x));
    requireKept(tf.neg(tf.abs(x)));
    requireKept(tf.math.reciprocal(tf.math.reciprocal(x)));
  }

  @Test
  void selfInverse_threeTimes_isDoneOnce() {
    StepGraph graph = simplified(tf.neg(tf.neg(tf.neg(x))));
    assertThat(Steps.count(graph, "Neg")).isEqualTo(1);
  }

  @Test
  void transposes_thatUndoEachOther_areLeftOut() {
    Output turned = tf.transpose(x, 2, 0, 1);
    assertThat(standIn(tf.transpose(turned, 1, 2, 0))).isEqualTo(name(x));
    assertThat(standIn(tf.transpose(x, 0, 1, 2))).isEqualTo(name(x));
  }

  @Test
  void transposes_thatDoNot_stay() {
    Output turned = tf.transpose(x, 2, 0, 1);
    requireKept(tf.transpose(turned, 2, 0, 1));
    requireKept(tf.transpose(unknown, 0, 1, 2));
    requireKept(tf.array.transpose(x, tf.placeholder(DataType.INT32, Shape.of(3))));
  }

  @Test
  void reshape_ofReshape_skipsTheInner() {
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, 6, 4), 2, 12))).isEqualTo(1);
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, -1, 4), -1, 2, 4))).isEqualTo(1);
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, -1, 4), 2, 12))).isEqualTo(1);
  }

  @Test
  void reshape_ofAReshapeThatRefusesMore_keepsIt() {
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, -1, 4), -1, 2))).isEqualTo(2);
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, 6, 4), -1, 12))).isEqualTo(2);
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, -1, 4), -1))).isEqualTo(2);
    assertThat(reshapes(tf.reshape(tf.reshape(unknown, 0, 4), 0, 2))).isEqualTo(2);
  }

  @Test
  void reshape_toTheShapeThatIsThere_isLeftOut() {
    Output known = tf.placeholder(DataType.FLOAT, Shape.of(4, 3));
    assertThat(standIn(tf.reshape(known, -1, 3))).isEqualTo(name(known));
    assertThat(standIn(tf.reshape(tf.reshape(known, 12), 4, 3))).isEqualTo(name(known));
    requireKept(tf.reshape(known, 3, 4));
    requireKept(tf.reshape(x, 2, -1, 3));
  }

  @Test
  void chain_ofIdleNodes_goesAwayAtOnce() {
    Output value = x;
    for (int i = 0; i < 20; i++) {
      value = tf.mul(tf.identity(value), tf.constant(1f));
    }
    assertThat(standIn(value)).isEqualTo(name(x));
  }

  @Test
  void loop_withIdentities_staysWellFormed() {
    List<Output> result =
        tf.flow.whileLoop(
            List.of(tf.constant(0), tf.constant(1f)),
            (ops, v) -> ops.less(v.get(0), ops.constant(5)),
            (ops, v) ->
                List.of(
                    ops.identity(ops.add(v.get(0), ops.constant(1))),
                    ops.identity(ops.identity(v.get(1)))));
    StepGraph graph = Steps.fetching(tf.graph(), result.toArray(new Output[0]));

    assertThat(Simplification.run(graph)).isPositive();
    WellFormed.require(graph);
  }

  private String standIn(Output fetch) {
    StepGraph graph = simplified(fetch);
    assertThat(graph.nodes()).as("the source and what is fetched").hasSize(2);
    return retval(graph, 0);
  }

  private void requireKept(Output fetch) {
    assertThat(retval(simplified(fetch), 0)).isEqualTo(name(fetch));
  }

  private long reshapes(Output fetch) {
    return Steps.count(simplified(fetch), "Reshape");
  }

  private StepGraph simplified(Output... fetches) {
    StepGraph graph = Steps.fetching(tf.graph(), fetches);
    Simplification.run(graph);
    WellFormed.require(graph);
    return graph;
  }

  private static String retval(StepGraph graph, int index) {
    return graph.nodes().stream()
        .filter(n -> n.declaration().name().equals("_Retval"))
        .filter(n -> n.attributes().integer("index") == index)
        .map(n -> n.inputs().get(0))
        .map(StepNode.Source::toString)
        .findFirst()
        .orElseThrow();
  }

  private static String name(Output output) {
    return output.operation().name() + ":" + output.index();
  }

  private Output op(String name, Output input) {
    return tf.scope().operation(name).input(input).buildOutput();
  }

  private Output op(String name, String attribute, Output input) {
    return tf.scope().operation(name).input(input).attr(attribute, "").buildOutput();
  }

  private Output cast(Output value, DataType type) {
    return tf.scope().operation("Cast").input(value).attr("DstT", type).buildOutput();
  }
}
