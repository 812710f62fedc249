package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A graph and an open session on it, for the contracts that every session keeps. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class SessionFixture {
  protected Ops tf;
  protected Session session;

  /** Opens a session of the kind under test. */
  protected abstract Session open(Graph graph);

  /** The full name of a device other than the one on which fed values arrive. */
  protected abstract String otherDevice();

  @BeforeEach
  void openSession() {
    tf = Ops.create();
    session = open(tf.graph());
  }

  @AfterEach
  void closeSession() {
    session.close();
    tf.graph().close();
  }

  final Output scalar() {
    return tf.placeholder(DataType.FLOAT, Shape.scalar());
  }

  final float fetch(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).floatValue();
    }
  }

  /** An output that a step computes only once {@link Gate#open} was called. */
  final Gate gate() {
    Queue queue =
        tf.queues.fifoQueue(QueueOptions.of(100, DataType.FLOAT).withShapes(Shape.scalar()));
    return new Gate(queue.dequeue().get(0), queue.enqueue(tf.constant(0f)));
  }

  /** A zero that steps wait for, and the operation that lets one of them have it. */
  record Gate(Output zero, Operation enqueue) {
    void open(Session session) {
      session.run(enqueue);
    }
  }

  static void refused(ThrowingCallable call, String... parts) {
    fails(ErrorCode.INVALID_ARGUMENT, call, parts);
  }

  static void fails(ErrorCode code, ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> {
              assertThat(e.code()).as(e.toString()).isEqualTo(code);
              assertThat(parts).allSatisfy(part -> assertThat(e).hasMessageContaining(part));
            });
  }

  static Tensor value(float value) {
    return Tensor.scalar(value);
  }
}
