package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Control flow in a fixed order, where the graph has one. */
@NoLeaks
@Timeout(60)
class ControlFlowTest {
  private final TinyOps tf = new TinyOps();
  private final Session session = Session.local(tf.graph(), options());
  private final Output x = tf.placeholder(Shape.scalar());

  SessionOptions options() {
    return SessionOptions.defaults();
  }

  @AfterEach
  void close() {
    session.close();
    tf.close();
  }

  @Test
  void cond_eitherWay_runsOneBranchOnly() {
    Operation branch = tf.switchOn(x, tf.less(x, tf.constant(10)));
    Output below = tf.add(branch.output(1), branch.output(1));
    Output above = tf.sub(branch.output(0), tf.constant(10));
    Output merged = tf.merge(above, below).output(0);

    assertThat(run(merged, 4)).isEqualTo(8);
    assertThat(run(merged, 14)).isEqualTo(4);
    assertThat(tf.additions).hasValue(2);
  }

  @Test
  void cond_nested_passesDeadnessThrough() {
    Operation outer = tf.switchOn(x, tf.less(x, tf.constant(10)));
    Operation inner = tf.switchOn(outer.output(1), tf.less(outer.output(1), tf.constant(5)));
    Output innerMerged =
        tf.merge(tf.add(inner.output(0), inner.output(0)), inner.output(1)).output(0);
    Output merged = tf.merge(tf.sub(outer.output(0), outer.output(0)), innerMerged).output(0);

    assertThat(run(merged, 3)).isEqualTo(3);
    assertThat(run(merged, 7)).isEqualTo(14);
    assertThat(run(merged, 70)).isEqualTo(0);
  }

  @Test
  void cond_controlEdgeFromDeadNode_killsTheConsumer() {
    Operation branch = tf.switchOn(x, tf.less(x, tf.constant(10)));
    Output dead = tf.add(branch.output(1), branch.output(1));
    Output after =
        tf.graph()
            .scope()
            .operation("TestAdd")
            .input(x)
            .input(x)
            .controlInput(dead.operation())
            .buildOutput();

    assertThat(run(after, 3)).isEqualTo(6);
    assertThatThrownBy(() -> run(after, 30)).hasMessageContaining("not taken");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 32})
  void loop_counts_toItsLimit(int parallel) {
    Output exit =
        tf.loop("count", parallel, tf.constant(0), x, v -> tf.add(v, one("count", parallel)));

    assertThat(run(exit, 1000)).isEqualTo(1000);
    assertThat(run(exit, 0)).isEqualTo(0);
    assertThat(run(exit, -5)).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void loop_insideLoop_runsForEachIteration(int parallel) {
    // Each outer iteration adds 3 by an inner loop of three iterations.
    Output exit =
        tf.loop(
            "outer",
            parallel,
            tf.constant(0),
            x,
            v -> {
              Output three = tf.enter(tf.constant(3), "outer", true, parallel);
              Output outerOne = one("outer", parallel);
              Output limit = tf.add(v, three);
              return tf.loop(
                  "inner",
                  parallel,
                  v,
                  limit,
                  w -> tf.add(w, tf.enter(outerOne, "inner", true, parallel)));
            });

    assertThat(run(exit, 100)).isEqualTo(102);
    assertThat(run(exit, 0)).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void loop_onTheBranchNotTaken_isSkipped(int parallel) {
    Operation branch = tf.switchOn(x, tf.less(x, tf.constant(10)));
    Output live = branch.output(1);
    Output exit =
        tf.loop(
            "skipped",
            parallel,
            live,
            tf.add(live, live),
            v -> tf.add(v, one("skipped", parallel)));
    Output merged = tf.merge(branch.output(0), exit).output(0);

    assertThat(run(merged, 6)).isEqualTo(12);
    int before = tf.additions.get();
    assertThat(run(merged, 60)).isEqualTo(60);
    assertThat(tf.additions).hasValue(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void loop_nestedOnTheBranchNotTaken_isSkipped(int parallel) {
    Operation branch = tf.switchOn(x, tf.less(x, tf.constant(10)));
    Output live = branch.output(1);
    Output exit =
        tf.loop(
            "outer",
            parallel,
            live,
            tf.add(live, live),
            v ->
                tf.loop(
                    "inner",
                    parallel,
                    v,
                    tf.add(v, one("outer", parallel)),
                    w -> tf.add(w, innerOne(parallel))));
    Output merged = tf.merge(branch.output(0), exit).output(0);

    assertThat(run(merged, 6)).isEqualTo(12);
    assertThat(run(merged, 60)).isEqualTo(60);
  }

  @Test
  void loop_condInsideBody_takesADifferentBranchEachTime() {
    // Adds 1 below 10 and 5 above, until 20.
    Output exit =
        tf.loop(
            "mixed",
            10,
            tf.constant(8),
            x,
            v -> {
              Output ten = tf.enter(tf.constant(10), "mixed", true, 10);
              Output five = tf.enter(tf.constant(5), "mixed", true, 10);
              Operation branch = tf.switchOn(v, tf.less(v, ten));
              return tf.merge(
                      tf.add(branch.output(0), five), tf.add(branch.output(1), one("mixed", 10)))
                  .output(0);
            });

    assertThat(run(exit, 20)).isEqualTo(20);
    assertThat(run(exit, 10)).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void loop_failingBody_endsTheStepAndFreesEverything(int parallel) {
    Output exit =
        tf.loop(
            "bad",
            parallel,
            tf.constant(0),
            x,
            v -> tf.op("TestFail", tf.add(v, one("bad", parallel))));

    assertThatThrownBy(() -> run(exit, 10)).hasMessageContaining("broken on purpose");
    assertThat(run(exit, 0)).isEqualTo(0);
  }

  @Test
  void loop_asynchronousBody_runsToTheEnd() {
    Output exit =
        tf.loop(
            "async", 10, tf.constant(0), x, v -> tf.op("TestAtOnce", tf.add(v, one("async", 10))));

    assertThat(run(exit, 2000)).isEqualTo(2000);
  }

  @Test
  void frames_valueUsedOutsideItsLoop_isRefused() {
    Output[] inside = new Output[1];
    tf.loop("own", 10, tf.constant(0), x, v -> inside[0] = tf.add(v, one("own", 10)));
    Output leaked = tf.add(inside[0], x);

    assertThatThrownBy(() -> run(leaked, 3)).hasMessageContaining("frame");
  }

  @Test
  void cycle_thatNoLoopCloses_isRefused() {
    Output first = tf.add(x, x);
    Output second = tf.add(first, x);
    tf.graph().addControlEdge(second.operation(), first.operation());

    assertThatThrownBy(() -> run(second, 3)).hasMessageContaining("a cycle that no loop closes");
  }

  private Output one(String frame, int parallel) {
    return tf.enter(tf.constant(1), frame, true, parallel);
  }

  private Output innerOne(int parallel) {
    return tf.enter(one("outer", parallel), "inner", true, parallel);
  }

  private long run(Output fetch, long value) {
    try (Tensor feed = Tensor.scalar(value);
        StepResult result = session.run(Map.of(x, feed), List.of(fetch), List.of())) {
      return result.get(0).longValue();
    }
  }
}
