package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.plan.StepGraph;
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

@NoLeaks
class CommonSubexpressionsTest {
  private final TinyOps tf = new TinyOps();
  private final Output x = tf.placeholder(Shape.scalar());
  private final Output y = tf.placeholder(Shape.scalar());

  @AfterEach
  void close() {
    tf.close();
  }

  @Test
  void merge_equalNodes_leavesOne() {
    assertThat(left("TestSub", tf.sub(x, y), tf.sub(x, y))).isEqualTo(1);
  }

  @Test
  void merge_equalTrees_leavesOne() {
    Output a = tf.sub(tf.add(x, tf.constant(1)), y);
    Output b = tf.sub(tf.add(x, tf.constant(1)), y);
    StepGraph graph = Steps.fetching(tf, a, b);

    assertThat(CommonSubexpressions.run(graph)).isEqualTo(3);
    assertThat(Steps.count(graph, "Const")).isEqualTo(1);
  }

  @Test
  void merge_swappedInputs_onlyWhereTheOpCommutes() {
    assertThat(left("TestAdd", tf.add(x, y), tf.add(y, x))).isEqualTo(1);
    assertThat(left("TestSub", tf.sub(x, y), tf.sub(y, x))).isEqualTo(2);
  }

  @Test
  void merge_differentConstants_staysApart() {
    assertThat(left("TestAdd", tf.add(x, tf.constant(1)), tf.add(x, tf.constant(2)))).isEqualTo(2);
  }

  @Test
  void merge_differentAttributes_staysApart() {
    Output a =
        tf.graph().scope().operation("TestAdd").input(x).input(y).attr("_mark", 1).buildOutput();
    Output b =
        tf.graph().scope().operation("TestAdd").input(x).input(y).attr("_mark", 2).buildOutput();

    assertThat(left("TestAdd", a, b)).isEqualTo(2);
  }

  @Test
  void merge_statefulOrControlledOrThroughReferences_staysApart() {
    Output variable = tf.op("TestVariable");
    Output controlled =
        tf.graph()
            .scope()
            .operation("TestAdd")
            .input(x)
            .input(y)
            .controlInput(x.operation())
            .buildOutput();

    assertThat(left("TestSequence", tf.op("TestSequence"), tf.op("TestSequence"))).isEqualTo(2);
    assertThat(left("TestAdd", tf.add(x, y), controlled)).isEqualTo(2);
    assertThat(left("TestAdd", tf.add(variable, x), tf.add(variable, x))).isEqualTo(2);
  }

  @Test
  void merge_devices_mustBeTheSame() {
    Output a = tf.add(x, y);
    Output b = tf.add(x, y);
    StepGraph graph = Steps.fetching(tf, a, b);
    graph.nodes().forEach(n -> n.place(n.name().equals(a.operation().name()) ? "/one" : "/two"));

    CommonSubexpressions.run(graph);

    assertThat(Steps.count(graph, "TestAdd")).isEqualTo(2);
  }

  @Test
  void merge_inSession_computesOnceUnlessSwitchedOff() {
    Output a = tf.add(x, y);
    Output b = tf.add(y, x);
    try (Tensor one = Tensor.scalar(1L);
        Session merging = Session.local(tf.graph());
        Session plain =
            Session.local(
                tf.graph(), SessionOptions.defaults().without(Rewrite.COMMON_SUBEXPRESSIONS))) {
      assertThat(run(merging, one, a, b)).isEqualTo(4);
      assertThat(tf.additions).hasValue(1);
      assertThat(run(plain, one, a, b)).isEqualTo(4);
      assertThat(tf.additions).hasValue(3);
    }
  }

  @Test
  void merge_loopsAndBranches_computeTheSame() {
    Output one = tf.constant(1);
    Output a = tf.loop("a", 10, tf.constant(0), x, v -> tf.add(v, tf.enter(one, "a", true, 10)));
    Output b =
        tf.loop(
            "b", 10, tf.constant(0), x, v -> tf.add(v, tf.enter(tf.constant(1), "b", true, 10)));
    try (Tensor seven = Tensor.scalar(7L);
        Session session = Session.local(tf.graph())) {
      assertThat(run(session, seven, a, b)).isEqualTo(14);
    }
  }

  private long run(Session session, Tensor feed, Output... fetches) {
    try (StepResult result = session.run(Map.of(x, feed, y, feed), List.of(fetches), List.of())) {
      return result.stream().mapToLong(Tensor::longValue).sum();
    }
  }

  private long left(String op, Output... fetches) {
    StepGraph graph = Steps.fetching(tf, fetches);
    CommonSubexpressions.run(graph);
    return Steps.count(graph, op);
  }
}
