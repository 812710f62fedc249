package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@NoLeaks
class ConstantFoldingTest {
  private final TinyOps tf = new TinyOps();

  @AfterEach
  void close() {
    tf.close();
  }

  @Test
  void fold_pureNodesOnConstants_leavesOneConstant() {
    Output sum = tf.add(tf.add(tf.constant(1), tf.constant(2)), tf.constant(3));
    StepGraph graph = Steps.fetching(tf, sum);

    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      assertThat(constants.count()).isEqualTo(1);
      assertThat(graph.nodes()).hasSize(2);
      assertThat(graph.nodes().get(0).attributes().tensor("value").longValue()).isEqualTo(6);
    }
  }

  @Test
  void fold_inSession_computesOncePerSession() {
    Output sum = tf.add(tf.constant(1), tf.constant(2));
    try (Session session = Session.local(tf.graph())) {
      for (int i = 0; i < 5; i++) {
        try (StepResult result = session.runner().fetch(sum).run()) {
          assertThat(result.get(0).longValue()).isEqualTo(3);
        }
      }
      assertThat(tf.additions).hasValue(1);
    }
  }

  @Test
  void fold_switchedOff_computesInEachStep() {
    Output sum = tf.add(tf.constant(1), tf.constant(2));
    try (Session session =
        Session.local(tf.graph(), SessionOptions.defaults().without(Rewrite.CONSTANT_FOLDING))) {
      for (int i = 0; i < 5; i++) {
        session.runner().fetch(sum).run().close();
      }
      assertThat(tf.additions).hasValue(5);
    }
  }

  @Test
  void fold_failingNode_staysForTheStepToReport() {
    Output bad = tf.add(tf.op("TestFail", tf.constant(1)), tf.constant(1));
    StepGraph graph = Steps.fetching(tf, bad);
    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      assertThat(constants.count()).isZero();
      assertThat(Steps.count(graph, "TestFail")).isEqualTo(1);
    }
    try (Session session = Session.local(tf.graph())) {
      assertThatThrownBy(() -> session.runner().fetch(bad).run())
          .hasMessageContaining("broken on purpose");
    }
  }

  @Test
  void fold_hugeResult_isLeftAlone() {
    Output small = tf.op("TestBig", tf.constant(1000));
    Output huge = tf.op("TestBig", tf.constant(ConstantFolding.MAX_BYTES + 1));
    Output absurd = tf.op("TestBig", tf.constant(1L << 45));
    StepGraph graph = Steps.fetching(tf, small, huge, absurd);

    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      assertThat(constants.count()).isEqualTo(1);
      assertThat(Steps.count(graph, "TestBig")).isEqualTo(2);
    }
  }

  @Test
  void fold_statefulOrFedOrControlled_isLeftAlone() {
    Output x = tf.placeholder(Shape.scalar());
    Output one = tf.constant(1);
    Output controlled =
        tf.graph()
            .scope()
            .operation("TestAdd")
            .input(one)
            .input(one)
            .controlInput(x.operation())
            .buildOutput();
    StepGraph graph =
        Steps.fetching(tf, tf.add(x, one), tf.add(tf.op("TestSequence"), one), controlled);
    int before = graph.nodes().size();

    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      assertThat(constants.count()).isZero();
      assertThat(graph.nodes()).hasSize(before);
    }
  }

  @Test
  void fold_insideALoop_stopsAtItsBorder() {
    Output limit = tf.add(tf.constant(2), tf.constant(3));
    Output exit =
        tf.loop(
            "l",
            10,
            tf.constant(0),
            limit,
            v -> tf.add(v, tf.enter(tf.sub(tf.constant(3), tf.constant(2)), "l", true, 10)));
    StepGraph graph = Steps.fetching(tf, exit);

    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      assertThat(constants.count()).isEqualTo(2);
      assertThat(Steps.count(graph, "TestAdd")).isEqualTo(1);
      assertThat(Steps.count(graph, "TestEnter")).isEqualTo(3);
    }
    try (Session session = Session.local(tf.graph());
        StepResult result = session.runner().fetch(exit).run()) {
      assertThat(result.get(0).longValue()).isEqualTo(5);
    }
  }

  @Test
  void fold_controlEdgesFromFoldedNodes_holdAtOnce() {
    Output sum = tf.add(tf.constant(1), tf.constant(2));
    Output after =
        tf.graph().scope().operation("TestSequence").controlInput(sum.operation()).buildOutput();
    StepGraph graph = Steps.fetching(tf, after);

    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      assertThat(constants.count()).isZero();
      assertThat(graph.nodes()).hasSize(2);
    }
  }

  @Test
  void fold_targetThatIsConstant_stillRuns() {
    Output sum = tf.add(tf.constant(1), tf.constant(2));
    try (Session session = Session.local(tf.graph())) {
      session.run(sum.operation());
      assertThat(tf.additions).hasValue(1);
    }
  }

  @Test
  void fold_fedConstant_followsTheFeed() {
    Output one = tf.constant(1);
    Output sum = tf.add(one, tf.constant(2));
    try (Session session = Session.local(tf.graph());
        Tensor ten = Tensor.scalar(10L);
        StepResult result = session.runner().feed(one, ten).fetch(List.of(sum)).run()) {
      assertThat(result.get(0).longValue()).isEqualTo(12);
    }
  }
}
