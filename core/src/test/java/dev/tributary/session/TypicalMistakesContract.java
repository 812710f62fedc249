package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The mistakes of first programs: each gets a sentence that says what to do. */
@Timeout(120)
public abstract class TypicalMistakesContract {
  private final Ops tf = Ops.create();

  protected abstract Session open(Graph graph);

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void feed_ofWrongShape_saysWhichFits() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, 2));
    Output y = tf.square(x);
    try (Session session = open(tf.graph())) {
      assertMistake(
          () -> session.fetch(y, Feeds.of(x, new float[] {1, 2})),
          ErrorCode.INVALID_ARGUMENT,
          "Placeholder:0 has shape [?,2] and was fed a tensor of shape [2]: feed a value whose"
              + " sizes fit");
    }
  }

  @Test
  void feed_ofWrongType_saysWhichType() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output y = tf.square(x);
    try (Session session = open(tf.graph())) {
      assertMistake(
          () -> session.fetch(y, Feeds.of(x, new int[] {1})),
          ErrorCode.INVALID_ARGUMENT,
          "Placeholder:0 is float and was fed a int32 tensor: feed a float value");
    }
  }

  @Test
  void feed_missing_namesThePlaceholder() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output y = tf.square(x);
    try (Session session = open(tf.graph())) {
      assertMistake(
          () -> session.fetch(y),
          ErrorCode.INVALID_ARGUMENT,
          "Placeholder 'Placeholder'",
          "you must feed a value for this placeholder, of type float");
    }
  }

  @Test
  void feed_ofUnsupportedClass_listsWhatCanBeFed() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    try (Session session = open(tf.graph())) {
      assertMistake(
          () -> session.fetch(x, Feeds.of(x, new Object())),
          ErrorCode.INVALID_ARGUMENT,
          "the feed of Placeholder:0",
          "java.lang.Object is not a value for a tensor: give a number");
    }
  }

  @Test
  void variable_uninitialized_saysWhatToRun() {
    Variable w = tf.variable("mistaken", 1f);
    try (Session session = open(tf.graph())) {
      assertMistake(
          () -> session.fetch(w),
          ErrorCode.FAILED_PRECONDITION,
          "mistaken",
          "uninitialized",
          "run tf.globalVariablesInitializer() first");
    }
  }

  @Test
  void session_closed_saysToOpenAnother() {
    Output one = tf.constant(1f);
    Session session = open(tf.graph());
    session.close();
    assertMistake(
        () -> session.fetch(one),
        ErrorCode.CANCELLED,
        "the session is closed: open another one on the same graph");
  }

  @Test
  void operand_ofAnotherGraph_saysSo() {
    Output one = tf.constant(1f);
    Ops other = Ops.create();
    Output two = other.constant(2f);
    assertMistake(
        () -> tf.add(one, two),
        ErrorCode.INVALID_ARGUMENT,
        "belongs to another graph: build both with Ops of the same graph");
    try (Session session = open(tf.graph())) {
      assertMistake(
          () -> session.fetch(two),
          ErrorCode.INVALID_ARGUMENT,
          "belongs to another graph than the session: open a session on its graph");
    }
  }

  @Test
  void operation_withoutOutputAsOperand_saysToRunIt() {
    assertMistake(
        () -> tf.square(tf.noOp()),
        ErrorCode.INVALID_ARGUMENT,
        "NoOp 'NoOp' has no output and cannot be used as a value: run it");
  }

  @Test
  void shapes_thatDoNotFit_nameTheOp() {
    Output a = tf.placeholder(DataType.FLOAT, Shape.of(2, 3));
    Output b = tf.placeholder(DataType.FLOAT, Shape.of(2, 3));
    assertMistake(() -> tf.matMul(a, b), ErrorCode.INVALID_ARGUMENT, "MatMul 'MatMul'", "[2,3]");
  }

  @Test
  void tensor_usedAfterClose_saysHowToKeepIt() {
    Output one = tf.constant(1f);
    try (Session session = open(tf.graph())) {
      StepResult result = session.runner().fetch(one).run();
      Tensor value = result.get(one);
      result.close();
      assertMistake(
          value::floatValue,
          ErrorCode.FAILED_PRECONDITION,
          "was used after it was closed",
          "keep one for longer with retain()");
    }
  }

  private static void assertMistake(ThrowingCallable program, ErrorCode code, String... says) {
    TributaryException e = catchThrowableOfType(TributaryException.class, program);
    assertThat(e).isNotNull();
    assertThat(e.getMessage()).contains(says);
    assertThat(e.code()).isEqualTo(code);
  }
}
