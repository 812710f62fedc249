package dev.tributary.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.WhileOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class WhileLoopTest {
  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "10,1", "1000,1", "0,10", "1,10", "10,10", "1000,10", "1000,32"})
  void whileLoop_power_isThatOfSoManyIterations(int count, int parallel) {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output base = tf.constant(1.01);
      Output n = tf.placeholder(DataType.INT32, Shape.scalar());

      Output power =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0), tf.constant(1.0)),
                  (t, v) -> t.less(v.get(0), n),
                  (t, v) -> FlowRunner.counted(t, v.get(0), t.mul(v.get(1), base)),
                  WhileOptions.defaults().withParallelIterations(parallel))
              .get(1);

      assertThat(runner.run(power, n, Tensor.scalar(count))[0])
          .isCloseTo(Math.pow(1.01, count), within(1e-6));
    }
  }

  @ParameterizedTest
  @CsvSource({"0,5,0", "3,5,3", "9,5,5", "5,5,5"})
  void whileLoop_maximumIterations_endTheLoopThatWouldGoOn(int maximum, int wanted, int done) {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;

      List<Output> end =
          tf.flow.whileLoop(
              List.of(tf.constant(0)),
              (t, v) -> t.less(v.get(0), t.constant(wanted)),
              (t, v) -> List.of(t.add(v.get(0), t.constant(1))),
              WhileOptions.defaults()
                  .withShapeInvariants(List.of(Shape.scalar()))
                  .withMaximumIterations(maximum));

      assertThat(end).hasSize(1);
      assertThat(runner.run(end.get(0))).containsExactly(done);
    }
    assertThatThrownBy(() -> WhileOptions.defaults().withMaximumIterations(-1))
        .hasMessageContaining("-1");
  }

  @Test
  void whileLoop_fibonacci_swapsItsVariables() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;

      List<Output> end =
          tf.flow.whileLoop(
              List.of(tf.constant(0), tf.constant(0), tf.constant(1)),
              (t, v) -> t.less(v.get(0), t.constant(30)),
              (t, v) -> FlowRunner.counted(t, v.get(0), v.get(2), t.add(v.get(1), v.get(2))));

      assertThat(runner.run(end.get(1))).containsExactly(832040);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,1", "7,16", "27,111"})
  void whileLoop_collatzWithCond_takesAsManyStepsAsTheNumberNeeds(int start, int steps) {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output n = tf.placeholder(DataType.INT32, Shape.scalar());

      Output taken =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0), n),
                  (t, v) -> t.notEqual(v.get(1), t.constant(1)),
                  (t, v) ->
                      FlowRunner.counted(
                          t,
                          v.get(0),
                          t.flow
                              .cond(
                                  t.equal(t.math.floorMod(v.get(1), t.constant(2)), t.constant(0)),
                                  a -> List.of(a.math.floorDiv(v.get(1), a.constant(2))),
                                  b ->
                                      List.of(b.add(b.mul(v.get(1), b.constant(3)), b.constant(1))))
                              .get(0)))
              .get(0);

      assertThat(runner.run(taken, n, Tensor.scalar(start))).containsExactly(steps);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void whileLoop_inWhileLoop_runsAnewInEachIteration(int parallel) {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      WhileOptions options = WhileOptions.defaults().withParallelIterations(parallel);
      Output one = tf.constant(1);

      Output triangles =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0), tf.constant(0)),
                  (t, v) -> t.less(v.get(0), t.constant(20)),
                  (t, v) ->
                      FlowRunner.counted(
                          t,
                          v.get(0),
                          t.flow
                              .whileLoop(
                                  List.of(t.constant(0), v.get(1)),
                                  (u, w) -> u.less(w.get(0), v.get(0)),
                                  (u, w) -> FlowRunner.counted(u, w.get(0), u.add(w.get(1), one)),
                                  options)
                              .get(1)),
                  options)
              .get(1);

      assertThat(runner.run(triangles)).containsExactly(190);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whileLoop_inCond_runsOnlyInItsBranch(boolean taken) {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output limit = tf.constant(5);

      Output value =
          tf.flow
              .cond(
                  tf.constant(taken),
                  t ->
                      t.flow.whileLoop(
                          List.of(t.constant(0)),
                          (u, w) -> u.less(w.get(0), limit),
                          (u, w) -> FlowRunner.counted(u, w.get(0))),
                  f -> List.of(f.constant(-1)))
              .get(0);

      assertThat(runner.run(value)).containsExactly(taken ? 5 : -1);
    }
  }

  @Test
  void whileLoop_withVariable_addsToItInEachIteration() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output handle = tf.state.varHandleOp(DataType.FLOAT, Shape.scalar(), "v");
      runner.runTarget(tf.state.assignVariableOp(handle, tf.constant(1f)));

      Output count =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0)),
                  (t, v) -> t.less(v.get(0), t.constant(10)),
                  (t, v) -> {
                    Operation add = t.state.assignAddVariableOp(handle, t.constant(2f));
                    return FlowRunner.counted(t.withControlDependencies(add), v.get(0));
                  })
              .get(0);

      assertThat(runner.run(count)).containsExactly(10);
      assertThat(runner.run(tf.state.readVariableOp(handle, DataType.FLOAT))).containsExactly(21);
    }
  }

  @Test
  void whileLoop_controlDependencyOnTheOutside_isKept() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Operation abort = tf.flow.abort("before the body");

      Output count =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0)),
                  (t, v) -> t.less(v.get(0), t.constant(3)),
                  (t, v) -> FlowRunner.counted(t.withControlDependencies(abort), v.get(0)))
              .get(0);

      assertThatThrownBy(() -> runner.run(count)).hasMessageContaining("before the body");
    }
  }

  @Test
  void whileLoop_bodyThatFails_namesTheNode() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;

      Output value =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(5), tf.constant(0)),
                  (t, v) -> t.greater(v.get(0), t.constant(-5)),
                  (t, v) ->
                      List.of(
                          t.sub(v.get(0), t.constant(1)),
                          t.math.floorDiv(t.constant(60), v.get(0))))
              .get(1);

      assertThatThrownBy(() -> runner.run(value))
          .hasMessageContaining("FloorDiv 'while/FloorDiv'")
          .hasMessageContaining("Integer division by zero");
    }
  }

  @Test
  void whileLoop_growingVariable_needsAShapeInvariant() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      List<Output> start = List.of(tf.constant(0), tf.constant(new int[] {1}));

      assertThatThrownBy(() -> doubling(tf, start, WhileOptions.defaults()))
          .hasMessageContaining("enters the loop with shape [1] and has shape [2]");
      List<Output> end =
          doubling(
              tf,
              start,
              WhileOptions.defaults()
                  .withShapeInvariants(List.of(Shape.scalar(), Shape.ofRank(1))));

      assertThat(runner.run(end.get(1))).hasSize(8);
    }
  }

  private static List<Output> doubling(Ops tf, List<Output> start, WhileOptions options) {
    return tf.flow.whileLoop(
        start,
        (t, v) -> t.less(v.get(0), t.constant(3)),
        (t, v) ->
            FlowRunner.counted(
                t,
                v.get(0),
                t.scope()
                    .operation("ConcatV2")
                    .inputList(List.of(v.get(1), v.get(1)))
                    .input(t.constant(0))
                    .buildOutput()),
        options);
  }

  @Test
  void whileLoop_namesAndBody_areThoseOfTensorFlow() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output n = tf.constant(3);

      tf.flow.whileLoop(
          List.of(tf.constant(0)),
          (t, v) -> t.less(v.get(0), n),
          (t, v) -> FlowRunner.counted(t, v.get(0)));

      assertThat(
              tf.graph().operations().stream()
                  .map(Operation::name)
                  .filter(name -> name.startsWith("while/")))
          .contains(
              "while/Enter",
              "while/Merge",
              "while/Less/Enter",
              "while/Less",
              "while/LoopCond",
              "while/Switch",
              "while/Identity",
              "while/NextIteration",
              "while/Exit");
      assertThat(tf.graph().operation("while/Enter").attributes().string("frame_name"))
          .isEqualTo("while/while_context");
    }
  }

  @Test
  void whileLoop_bodyThatDoesNotMatch_isRefused() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output zero = tf.constant(0);
      Output yes = tf.constant(true);

      assertThatThrownBy(() -> tf.flow.whileLoop(List.of(), (t, v) -> yes, (t, v) -> v))
          .hasMessageContaining("at least one loop variable");
      assertThatThrownBy(() -> tf.flow.whileLoop(List.of(zero), (t, v) -> yes, (t, v) -> List.of()))
          .hasMessageContaining("one value for each of its 1 variables, got 0");
      assertThatThrownBy(
              () -> tf.flow.whileLoop(List.of(zero), (t, v) -> yes, (t, v) -> List.of(yes)))
          .hasMessageContaining("must keep its type");
      assertThatThrownBy(() -> tf.flow.whileLoop(List.of(zero), (t, v) -> zero, (t, v) -> v))
          .hasMessageContaining("must be bool");
    }
  }

  @Test
  void whileLoop_valueOfTheBodyOutside_isRefused() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output[] leaked = new Output[1];
      tf.flow.whileLoop(
          List.of(tf.constant(0)),
          (t, v) -> t.less(v.get(0), t.constant(3)),
          (t, v) -> {
            leaked[0] = t.neg(v.get(0));
            return FlowRunner.counted(t, v.get(0));
          });

      assertThatThrownBy(() -> runner.run(leaked[0])).hasMessageContaining("while_context");
    }
  }
}
