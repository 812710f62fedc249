package dev.tributary.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.Test;

@NoLeaks
class CondTest {
  @Test
  void cond_eitherWay_givesTheValuesOfThatBranch() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output predicate = tf.placeholder(DataType.BOOL, Shape.scalar());
      Output x = tf.constant(3f);

      List<Output> values =
          tf.flow.cond(
              predicate, t -> List.of(t.mul(x, x), x), f -> List.of(f.neg(x), f.constant(7f)));

      assertThat(runner.run(values.get(0), predicate, Tensor.scalar(true))).containsExactly(9);
      assertThat(runner.run(values.get(1), predicate, Tensor.scalar(true))).containsExactly(3);
      assertThat(runner.run(values.get(0), predicate, Tensor.scalar(false))).containsExactly(-3);
      assertThat(runner.run(values.get(1), predicate, Tensor.scalar(false))).containsExactly(7);
    }
  }

  @Test
  void cond_names_areThoseOfTensorFlow() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output x = tf.constant(3f);

      tf.flow.cond(tf.constant(true), t -> List.of(t.mul(x, x)), f -> List.of(f.constant(7f)));

      assertThat(
              tf.graph().operations().stream()
                  .map(Operation::name)
                  .filter(n -> n.startsWith("cond/")))
          .containsExactly(
              "cond/Switch",
              "cond/switch_t",
              "cond/switch_f",
              "cond/pred_id",
              "cond/Mul/Switch",
              "cond/Mul",
              "cond/Const",
              "cond/Merge");
    }
  }

  @Test
  void cond_branchNotTaken_doesNotRun() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;

      Output value =
          tf.flow
              .cond(
                  tf.constant(true),
                  t -> List.of(t.constant(1f)),
                  f -> List.of(f.withControlDependencies(f.flow.abort("ran")).constant(2f)))
              .get(0);

      assertThat(runner.run(value)).containsExactly(1);
    }
  }

  @Test
  void cond_inCond_runsTheInnerBranchOnlyInItsOuterOne() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output x = runner.input(Shape.scalar());
      Output zero = tf.constant(0.0);

      Output sign =
          tf.flow
              .cond(
                  tf.less(x, zero),
                  t -> List.of(t.constant(-1)),
                  f ->
                      f.flow.cond(
                          f.less(zero, x),
                          g -> List.of(g.constant(1)),
                          g -> List.of(g.constant(0))))
              .get(0);

      assertThat(runner.run(sign, x, Tensor.scalar(-2.0))).containsExactly(-1);
      assertThat(runner.run(sign, x, Tensor.scalar(2.0))).containsExactly(1);
      assertThat(runner.run(sign, x, Tensor.scalar(0.0))).containsExactly(0);
    }
  }

  @Test
  void condRun_operationsWithoutOutputs_runInTheBranchTaken() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output yes = tf.constant(true);
      Operation fine =
          tf.flow.condRun(yes, t -> List.of(t.noOp()), f -> List.of(f.flow.abort("false side")));
      Operation failing =
          tf.flow.condRun(yes, t -> List.of(t.flow.abort("true side")), f -> List.of(f.noOp()));

      runner.runTarget(fine);
      assertThatThrownBy(() -> runner.runTarget(failing))
          .hasMessageContaining("true side")
          .hasMessageContaining("cond_1/Abort");
    }
  }

  @Test
  void cond_withVariable_assignsInTheBranchTaken() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output predicate = tf.placeholder(DataType.BOOL, Shape.scalar());
      Output handle = tf.state.varHandleOp(DataType.FLOAT, Shape.scalar(), "v");
      runner.runTarget(tf.state.assignVariableOp(handle, tf.constant(1f)));

      Output read =
          tf.flow
              .cond(
                  predicate,
                  t -> {
                    Operation add = t.state.assignAddVariableOp(handle, t.constant(10f));
                    return List.of(
                        t.withControlDependencies(add)
                            .state
                            .readVariableOp(handle, DataType.FLOAT));
                  },
                  f -> List.of(f.state.readVariableOp(handle, DataType.FLOAT)))
              .get(0);

      assertThat(runner.run(read, predicate, Tensor.scalar(false))).containsExactly(1);
      assertThat(runner.run(read, predicate, Tensor.scalar(true))).containsExactly(11);
      assertThat(runner.run(read, predicate, Tensor.scalar(false))).containsExactly(11);
    }
  }

  @Test
  void cond_branchesThatDoNotMatch_areRefused() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output yes = tf.constant(true);

      assertThatThrownBy(() -> tf.flow.cond(yes, t -> List.of(yes, yes), f -> List.of(yes)))
          .hasMessageContaining("true gives 2, false gives 1");
      assertThatThrownBy(() -> tf.flow.cond(yes, t -> List.of(yes), f -> List.of(f.constant(1f))))
          .hasMessageContaining("value 0 of a cond must have one type");
      assertThatThrownBy(() -> tf.flow.cond(tf.constant(1f), t -> List.of(yes), f -> List.of(yes)))
          .hasMessageContaining("must be bool");
    }
  }

  @Test
  void cond_valueOfOneBranchInTheOther_isRefused() {
    try (FlowRunner runner = new FlowRunner()) {
      Ops tf = runner.tf;
      Output yes = tf.constant(true);
      Output[] leaked = new Output[1];

      assertThatThrownBy(
              () ->
                  tf.flow.cond(
                      yes,
                      t -> {
                        leaked[0] = t.constant(1f);
                        return List.of(leaked[0]);
                      },
                      f -> List.of(f.neg(leaked[0]))))
          .hasMessageContaining("cannot be used in the false branch");
    }
  }
}
