package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.LeakCheck;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Closing what one was given damages nothing, and using it afterwards is an error that helps. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class OwnershipTest {
  private final Ops tf = Ops.create();

  @Test
  void close_fetchedConstantAndItsResult_laterSessionsStillRun() {
    Output constant = tf.withName("c").constant(1f, 2f);
    try (Graph graph = tf.graph()) {
      for (int i = 0; i < 3; i++) {
        try (Session session = Session.local(graph);
            StepResult result = session.runner().fetch(constant).run();
            Tensor value = result.get(0)) {
          assertThat(value.toFloats()).containsExactly(1, 2);
          value.close();
          result.close();
          result.close();
        }
      }
    }
  }

  @Test
  void close_fetchedFeed_leavesTheCallersTensorAlone() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2));
    try (Graph graph = tf.graph();
        Session session = Session.local(graph);
        Tensor fed = Tensor.of(1f, 2f)) {
      for (int i = 0; i < 3; i++) {
        try (StepResult result = session.runner().feed(x, fed).fetch(x).run()) {
          result.get(0).close();
          result.get(0).close();
        }
      }
      assertThat(fed.toFloats()).containsExactly(1, 2);
      assertThat(fed.isExclusive()).isTrue();
    }
  }

  @Test
  void close_foldedConstant_leavesTheCompiledStepAlone() {
    Output sum = tf.add(tf.constant(1f), tf.constant(2f));
    Output also = tf.identity(sum);
    try (Graph graph = tf.graph();
        Session session = Session.local(graph);
        StepCallable step = session.prepare(List.of(), List.of(also), List.of())) {
      for (int i = 0; i < 3; i++) {
        try (StepResult result = step.run();
            Tensor value = result.get(0)) {
          assertThat(value.floatValue()).isEqualTo(3);
        }
      }
    }
  }

  @Test
  void close_attributeOfAnOperation_leavesTheGraphAlone() {
    Output constant = tf.constant(5f);
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      constant.operation().attributes().tensor("value").close();
      constant.operation().attributes().tensor("value").close();
      try (StepResult result = session.runner().fetch(constant).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(5);
      }
    }
  }

  @Test
  void constant_callerClosesItsTensor_graphHasItsOwn() {
    Output constant;
    try (Tensor value = Tensor.of(7f, 8f)) {
      constant = tf.constant(value);
      tf.constant(value);
      assertThat(value.toFloats()).containsExactly(7, 8);
    }
    try (Graph graph = tf.graph();
        Session session = Session.local(graph);
        StepResult result = session.runner().fetch(constant).run()) {
      assertThat(result.get(0).toFloats()).containsExactly(7, 8);
    }
  }

  @Test
  void constant_refused_leavesTheTensorToTheCaller() {
    try (Graph graph = tf.graph();
        Tensor value = Tensor.of(7f)) {
      graph.makeFinal();
      requireFailedPrecondition(() -> tf.constant(value), "the graph is final");
      assertThat(value.isExclusive()).isTrue();
    }
  }

  @Test
  void read_afterTheResultWasClosed_namesTheOutputAndThePlace() {
    Output constant = tf.withName("weights").constant(Shape.of(2, 1), 1f, 2f);
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      StepResult result = session.runner().fetch(constant).run();
      Tensor value = result.get(0);
      try (Tensor kept = value.retain()) {
        result.close();
        assertThat(kept.toFloats()).containsExactly(1, 2);
      }
      requireFailedPrecondition(
          value::toFloats,
          "Tensor<float [2,1]> of weights:0",
          "was used after it was closed at ",
          "OwnershipTest.java:",
          "keep one for longer with retain()");
    }
  }

  @Test
  void run_graphIsClosed_namesTheConstant() {
    Output constant = tf.withName("c").constant(1f);
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    Output sum = tf.add(constant, x);
    try (Session session = Session.local(tf.graph());
        Tensor fed = Tensor.scalar(1f)) {
      session.runner().feed(x, fed).fetch(sum).run().close();
      tf.graph().close();
      requireFailedPrecondition(
          () -> session.runner().feed(x, fed).fetch(sum).run(),
          "Tensor<float []> of Const 'c' was used after it was closed",
          "Close a graph after the last session that runs it");
    }
  }

  private static void requireFailedPrecondition(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
        .hasMessageContainingAll(parts);
  }
}
