package dev.tributary.gradients;

import static dev.tributary.internal.flow.FlowRunner.counted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.internal.flow.FlowRunner;
import dev.tributary.ops.Ops;
import dev.tributary.ops.TensorArray;
import dev.tributary.ops.WhileOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients through conds and loops, against central differences. */
@NoLeaks
class ControlFlowGradientsTest {
  private static final double STEP = 1e-5;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 20})
  void loop_powerOfCapturedValue_hasTheSlope(int n) {
    check(Shape.scalar(), (tf, x) -> power(tf, x, tf.constant(n)), 0.99);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void loop_variableThroughNonlinearBody_hasTheSlope(int parallel) {
    check(
        Shape.of(3),
        (tf, x) ->
            tf.flow
                .whileLoop(
                    List.of(tf.constant(0), x),
                    (t, v) -> t.less(v.get(0), t.constant(20)),
                    (t, v) -> counted(t, v.get(0), t.math.sin(t.mul(v.get(1), x))),
                    WhileOptions.defaults().withParallelIterations(parallel))
                .get(1),
        0.5,
        1.2,
        -0.7);
  }

  @Test
  void loop_recurrentNetwork_hasTheSlopeForItsWeights() {
    check(
        Shape.of(3, 3),
        (tf, weights) -> {
          Output start = tf.constant(Shape.of(2, 3), 0.1, 0.2, 0.3, -0.4, 0.5, -0.6);
          return tf.flow
              .whileLoop(
                  List.of(tf.constant(0), start),
                  (t, v) -> t.less(v.get(0), t.constant(6)),
                  (t, v) -> counted(t, v.get(0), t.tanh(t.matMul(v.get(1), weights))))
              .get(1);
        },
        new Random(7).doubles(9, -1, 1).toArray());
  }

  @Test
  void loop_severalVariables_allGiveTheirShare() {
    check(
        Shape.scalar(),
        (tf, x) -> {
          List<Output> end =
              tf.flow.whileLoop(
                  List.of(tf.constant(0), x, tf.mul(x, x), tf.constant(2.0)),
                  (t, v) -> t.less(v.get(0), t.constant(4)),
                  (t, v) ->
                      counted(
                          t, v.get(0), t.math.sin(v.get(2)), t.mul(v.get(1), v.get(3)), v.get(1)));
          return tf.add(end.get(2), end.get(3));
        },
        0.8);
  }

  @Test
  void loop_shapeKnownOnlyAtRunTime_hasTheSlope() {
    check(
        Shape.ofRank(1),
        (tf, x) ->
            tf.flow
                .whileLoop(
                    List.of(tf.constant(0), tf.onesLike(x)),
                    (t, v) -> t.less(v.get(0), t.constant(3)),
                    (t, v) -> counted(t, v.get(0), t.mul(v.get(1), t.math.sin(x))))
                .get(1),
        0.3,
        1.4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cond_eitherWay_hasTheSlopeOfTheBranchTaken(boolean which) {
    check(
        Shape.of(2),
        (tf, x) ->
            tf.flow
                .cond(
                    tf.constant(which),
                    t -> List.of(t.mul(t.math.sin(x), x)),
                    f -> List.of(f.neg(x)))
                .get(0),
        0.4,
        2.0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cond_valueUsedInOneBranchOnly_hasZeroSlopeInTheOther(boolean which) {
    check(
        Shape.scalar(),
        (tf, x) -> {
          Output branch =
              tf.flow
                  .cond(
                      tf.constant(which), t -> List.of(t.mul(x, x)), f -> List.of(f.constant(3.0)))
                  .get(0);
          return tf.add(branch, x);
        },
        1.5);
  }

  @Test
  void cond_inLoop_recallsTheValuesOfTheBranchesTaken() {
    check(Shape.scalar(), ControlFlowGradientsTest::alternating, 0.7);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void loop_inCond_hasTheSlope(boolean which) {
    check(
        Shape.scalar(),
        (tf, x) ->
            tf.flow
                .cond(
                    tf.constant(which),
                    t -> List.of(t.mul(power(t, t.tanh(x), t.constant(3)), x)),
                    f -> List.of(f.neg(x)))
                .get(0),
        0.6);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void loop_inLoop_hasTheSlope(int parallel) {
    WhileOptions options = WhileOptions.defaults().withParallelIterations(parallel);
    check(
        Shape.scalar(),
        (tf, x) ->
            tf.flow
                .whileLoop(
                    List.of(tf.constant(0), x),
                    (t, v) -> t.less(v.get(0), t.constant(4)),
                    (t, v) -> {
                      Output inner =
                          t.flow
                              .whileLoop(
                                  List.of(t.constant(0), t.tanh(v.get(1))),
                                  (u, w) -> u.less(w.get(0), v.get(0)),
                                  (u, w) ->
                                      counted(
                                          u,
                                          w.get(0),
                                          u.mul(u.math.sin(u.add(w.get(1), v.get(1))), x)),
                                  options)
                              .get(1);
                      return counted(t, v.get(0), t.add(inner, t.mul(v.get(1), inner)));
                    },
                    options)
                .get(1),
        0.7);
  }

  @Test
  void loop_inCondInLoop_hasTheSlope() {
    check(
        Shape.scalar(),
        (tf, x) ->
            tf.flow
                .whileLoop(
                    List.of(tf.constant(0), x),
                    (t, v) -> t.less(v.get(0), t.constant(4)),
                    (t, v) ->
                        counted(
                            t,
                            v.get(0),
                            t.flow
                                .cond(
                                    isEven(t, v.get(0)),
                                    a -> List.of(a.add(power(a, a.tanh(v.get(1)), v.get(0)), x)),
                                    b -> List.of(b.mul(v.get(1), x)))
                                .get(0)))
                .get(1),
        0.6);
  }

  @Test
  void tensorArray_filledAndReadInLoops_hasTheSlope() {
    check(
        Shape.of(4),
        (tf, x) -> {
          TensorArray inputs =
              TensorArray.of(tf, DataType.DOUBLE, Shape.scalar(), tf.constant(4)).unstack(x);
          TensorArray outputs = TensorArray.of(tf, DataType.DOUBLE, Shape.scalar(), tf.constant(4));
          List<Output> end =
              tf.flow.whileLoop(
                  List.of(tf.constant(0), tf.constant(0.5), outputs.flow()),
                  (t, v) -> t.less(v.get(0), t.constant(4)),
                  (t, v) -> {
                    Output element = inputs.withFlow(t, inputs.flow()).read(v.get(0));
                    Output state = t.tanh(t.add(t.mul(v.get(1), element), element));
                    return counted(
                        t,
                        v.get(0),
                        state,
                        outputs.withFlow(t, v.get(2)).write(v.get(0), state).flow());
                  });
          return outputs.withFlow(tf, end.get(2)).stack();
        },
        0.3,
        -0.8,
        1.1,
        0.2);
  }

  /** A list that is read in a loop, one that is filled, and one that is used up. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void lists_readFilledAndPoppedInALoop_haveTheSlope(int parallel) {
    check(
        Shape.of(4),
        (tf, x) -> {
          Output inputs = tf.lists.fromTensor(x);
          Output outputs = tf.lists.reserve(DataType.DOUBLE, Shape.scalar(), tf.constant(4));
          Output used = tf.lists.fromTensor(tf.math.sin(x));
          List<Output> end =
              tf.flow.whileLoop(
                  List.of(tf.constant(0), tf.constant(0.5), outputs, used),
                  (t, v) -> t.less(v.get(0), t.constant(4)),
                  (t, v) -> {
                    Output element = item(t, inputs, v.get(0));
                    List<Output> popped =
                        t.lists.popBack(v.get(3), DataType.DOUBLE, Shape.scalar());
                    Output state =
                        t.tanh(t.add(t.mul(v.get(1), element), t.mul(popped.get(1), element)));
                    Output filled = t.lists.setItem(v.get(2), v.get(0), state);
                    return counted(t, v.get(0), state, filled, popped.get(0));
                  },
                  WhileOptions.defaults().withParallelIterations(parallel));
          Output all = tf.lists.stack(end.get(2), DataType.DOUBLE, Shape.scalar());
          return tf.mul(all, end.get(1));
        },
        0.3,
        -0.8,
        1.1,
        0.2);
  }

  @Test
  void lists_grownInLoopsInLoops_haveTheSlope() {
    check(
        Shape.ofRank(1),
        (tf, x) -> {
          Output empty = tf.lists.empty(DataType.DOUBLE, Shape.unknown());
          List<Output> end =
              tf.flow.whileLoop(
                  List.of(tf.constant(0), x, empty),
                  (t, v) -> t.less(v.get(0), t.constant(3)),
                  (t, v) -> {
                    List<Output> inner =
                        t.flow.whileLoop(
                            List.of(t.constant(0), v.get(1), v.get(2)),
                            (u, w) -> u.less(w.get(0), v.get(0)),
                            (u, w) ->
                                counted(
                                    u,
                                    w.get(0),
                                    u.math.sin(u.mul(w.get(1), x)),
                                    u.lists.pushBack(w.get(2), w.get(1))));
                    return counted(t, v.get(0), inner.get(1), inner.get(2));
                  });
          Output all = tf.lists.stack(end.get(2), DataType.DOUBLE, Shape.unknown());
          return tf.add(tf.sum(tf.square(all), false, 0), end.get(1));
        },
        0.6,
        -1.3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lists_changedInOneBranch_haveTheSlopeOfTheBranchTaken(boolean which) {
    check(
        Shape.of(3),
        (tf, x) -> {
          Output list = tf.lists.fromTensor(tf.square(x));
          Output index = tf.constant(1);
          Output changed =
              tf.flow
                  .cond(
                      tf.constant(which),
                      t -> List.of(t.lists.setItem(list, index, t.math.sin(item(t, list, index)))),
                      f -> List.of(list))
                  .get(0);
          return tf.mul(tf.lists.stack(changed, DataType.DOUBLE, Shape.scalar()), x);
        },
        0.4,
        2.0,
        -0.5);
  }

  private static Output item(Ops tf, Output list, Output index) {
    return tf.lists.getItem(list, index, DataType.DOUBLE, Shape.scalar());
  }

  @Test
  void loop_variableRead_givesAGradientForItsHandle() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output handle = tf.state.varHandleOp(DataType.DOUBLE, Shape.scalar(), "v");
      runner.runTarget(tf.state.assignVariableOp(handle, tf.constant(3.0)));
      Output cube =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0), tf.constant(1.0)),
                  (t, v) -> t.less(v.get(0), t.constant(3)),
                  (t, v) ->
                      counted(
                          t,
                          v.get(0),
                          t.mul(v.get(1), t.state.readVariableOp(handle, DataType.DOUBLE))))
              .get(1);

      GradientValue gradient = Gradients.of(tf, List.of(cube), List.of(handle)).get(0);

      assertThat(runner.run((Output) gradient)).containsExactly(27);
    }
  }

  @Test
  void gradients_askedForTwice_areTheSame() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output x = tf.constant(2.0);
      Output y = alternating(tf, x);

      Output first = (Output) Gradients.of(tf, List.of(y), List.of(x)).get(0);
      Output second = (Output) Gradients.of(tf, List.of(tf.add(y, y)), List.of(x)).get(0);

      assertThat(runner.run(second)[0]).isEqualTo(2 * runner.run(first)[0]);
    }
  }

  @Test
  void gradients_upToStops_leaveOutWhatIsBehind() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output x = tf.constant(2.0);
      Output square = tf.mul(x, x);
      Output y = tf.mul(square, x);

      List<GradientValue> found =
          Gradients.of(tf, List.of(y), List.of(x, square), List.of(), List.of(square));

      assertThat(runner.run((Output) found.get(0))).containsExactly(4);
      assertThat(runner.run((Output) found.get(1))).containsExactly(2);
    }
  }

  @Test
  void loop_secondDerivative_isRefused() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output x = tf.constant(2.0);
      Output slope =
          (Output) Gradients.of(tf, List.of(power(tf, x, tf.constant(3))), List.of(x)).get(0);

      assertThatThrownBy(() -> Gradients.of(tf, List.of(slope), List.of(x)))
          .hasMessageContaining("second derivatives");
    }
  }

  @Test
  void gradients_ofAValueInsideALoop_areRefused() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output x = tf.constant(2.0);
      Output inside = tf.graph().output(power(tf, x, tf.constant(3)).operation().input(0).name());

      assertThatThrownBy(() -> Gradients.of(tf, List.of(inside), List.of(x)))
          .hasMessageContaining("while_context");
    }
  }

  @Test
  void gradients_insideALoop_areOfThatIteration() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;

      // Newton's method for the square root of 2.
      Output root =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0), tf.constant(1.0)),
                  (t, v) -> t.less(v.get(0), t.constant(6)),
                  (t, v) -> {
                    Output error = t.sub(t.mul(v.get(1), v.get(1)), t.constant(2.0));
                    Output slope =
                        (Output) Gradients.of(t, List.of(error), List.of(v.get(1))).get(0);
                    return counted(t, v.get(0), t.sub(v.get(1), t.math.realDiv(error, slope)));
                  })
              .get(1);

      assertThat(runner.run(root)[0]).isCloseTo(Math.sqrt(2), Offset.offset(1e-12));
    }
  }

  @Test
  void gradients_insideALoopForAVariableOutside_trainIt() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output handle = tf.state.varHandleOp(DataType.DOUBLE, Shape.scalar(), "v");
      runner.runTarget(tf.state.assignVariableOp(handle, tf.constant(3.0)));

      Output steps =
          tf.flow
              .whileLoop(
                  List.of(tf.constant(0)),
                  (t, v) -> t.less(v.get(0), t.constant(40)),
                  (t, v) -> {
                    Output value = t.state.readVariableOp(handle, DataType.DOUBLE);
                    Output slope =
                        (Output)
                            Gradients.of(t, List.of(t.mul(value, value)), List.of(handle)).get(0);
                    Output change = t.mul(slope, t.constant(0.25));
                    return counted(
                        t.withControlDependencies(t.state.assignSubVariableOp(handle, change)),
                        v.get(0));
                  },
                  WhileOptions.defaults().withParallelIterations(1))
              .get(0);

      assertThat(runner.run(steps)).containsExactly(40);
      assertThat(runner.run(tf.state.readVariableOp(handle, DataType.DOUBLE))[0])
          .isCloseTo(0, Offset.offset(1e-9));
    }
  }

  private static Output power(Ops tf, Output x, Output n) {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0), tf.constant(1.0)),
            (t, v) -> t.less(v.get(0), n),
            (t, v) -> counted(t, v.get(0), t.mul(v.get(1), x)))
        .get(1);
  }

  private static Output alternating(Ops tf, Output x) {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0), x),
            (t, v) -> t.less(v.get(0), t.constant(5)),
            (t, v) ->
                counted(
                    t,
                    v.get(0),
                    t.flow
                        .cond(
                            isEven(t, v.get(0)),
                            a -> List.of(a.mul(a.mul(v.get(1), v.get(1)), x)),
                            b -> List.of(b.tanh(b.add(v.get(1), x))))
                        .get(0)))
        .get(1);
  }

  private static Output isEven(Ops tf, Output n) {
    return tf.equal(tf.math.floorMod(n, tf.constant(2)), tf.constant(0));
  }

  /** Compares the gradient of the sum of a function's results with differences. */
  private static void check(Shape shape, BiFunction<Ops, Output, Output> function, double... at) {
    try (FlowRunner runner = new FlowRunner()) {
      Output x = runner.input(shape);
      Output y = function.apply(runner.tf, x);
      Output slope = (Output) Gradients.of(runner.tf, List.of(y), List.of(x)).get(0);
      Shape known = shape.isFullyDefined() ? shape : Shape.of(at.length);
      double[] actual = runner.run(slope, x, Tensor.of(known, at));
      double[] expected = new double[at.length];
      for (int i = 0; i < at.length; i++) {
        double above = sum(runner, y, x, known, moved(at, i, STEP));
        expected[i] = (above - sum(runner, y, x, known, moved(at, i, -STEP))) / (2 * STEP);
      }
      assertThat(actual).containsExactly(expected, Offset.offset(1e-6));
    }
  }

  private static double sum(FlowRunner runner, Output y, Output x, Shape shape, double[] at) {
    double sum = 0;
    for (double value : runner.run(y, x, Tensor.of(shape, at))) {
      sum += value;
    }
    return sum;
  }

  private static double[] moved(double[] at, int i, double by) {
    double[] moved = at.clone();
    moved[i] += by;
    return moved;
  }
}
