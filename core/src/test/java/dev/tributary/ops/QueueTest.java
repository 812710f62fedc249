package dev.tributary.ops;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a queue does when steps wait for it, when it is closed, and with wrong elements. */
@NoLeaks
@Timeout(60)
class QueueTest {
  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());

  @AfterEach
  void close() {
    session.close();
    tf.graph().close();
  }

  @Test
  void dequeue_emptyQueue_waitsForAnEnqueue() {
    Queue queue = numbers(10);
    try (RunningStep waiting = start(queue.dequeue().get(0))) {
      session.run(queue.enqueue(tf.constant(7)));

      assertThat(value(waiting)).containsExactly(7);
    }
  }

  @Test
  void enqueue_fullQueue_waitsForADequeue() {
    Queue queue = numbers(1);
    Output next = queue.dequeue().get(0);
    session.run(queue.enqueue(tf.constant(1)));
    try (RunningStep waiting = start(queue.enqueue(tf.constant(2)))) {
      assertThat(fetch(next)).containsExactly(1);
      waiting.await().close();
    }
    assertThat(fetch(next)).containsExactly(2);
  }

  @Test
  void enqueueMany_moreThanFit_goesInAsThereIsRoom() {
    Queue queue = numbers(2);
    Output next = queue.dequeue().get(0);
    try (RunningStep waiting = start(queue.enqueueMany(tf.constant(1, 2, 3, 4, 5)))) {
      for (int i = 1; i <= 5; i++) {
        assertThat(fetch(next)).containsExactly(i);
      }
      waiting.await().close();
    }
  }

  @Test
  void dequeueMany_tooFewElements_takesThemAndKeepsItsPlaceInLine() {
    Queue queue = numbers(10);
    session.run(queue.enqueue(tf.constant(1)));
    try (RunningStep first = start(queue.dequeueMany(2).get(0))) {
      awaitSize(queue, 0);
      try (RunningStep second = start(queue.dequeue().get(0))) {
        session.run(queue.enqueue(tf.constant(2)));
        assertThat(value(first)).containsExactly(1, 2);
        session.run(queue.enqueue(tf.constant(3)));
        assertThat(value(second)).containsExactly(3);
      }
    }
  }

  @Test
  void close_waitingDequeue_endsOutOfRange() {
    Queue queue = numbers(10);
    try (RunningStep waiting = start(queue.dequeue().get(0))) {
      session.run(queue.close());

      assertFails(() -> waiting.await(), ErrorCode.OUT_OF_RANGE)
          .hasMessageContainingAll(
              "FIFOQueue 'FIFOQueueV2' is closed and has insufficient elements",
              "(requested 1, current size 0)");
    }
  }

  @Test
  void close_waitingDequeueManyWithTooFew_putsThemBackInOrder() {
    Queue queue = numbers(10);
    session.run(queue.enqueueMany(tf.constant(1, 2)));
    try (RunningStep waiting = start(queue.dequeueMany(3).get(0))) {
      awaitSize(queue, 0);
      session.run(queue.close());

      assertFails(() -> waiting.await(), ErrorCode.OUT_OF_RANGE)
          .hasMessageContaining("(requested 3, current size 2)");
    }
    assertThat(fetch(queue.dequeueMany(2).get(0))).containsExactly(1, 2);
  }

  @Test
  void close_waitingDequeueUpTo_getsTheRest() {
    Queue queue = numbers(10);
    session.run(queue.enqueueMany(tf.constant(1, 2)));
    try (RunningStep waiting = start(queue.dequeueUpTo(3).get(0))) {
      awaitSize(queue, 0);
      session.run(queue.close());

      assertThat(value(waiting)).containsExactly(1, 2);
    }
    assertFails(() -> fetch(queue.dequeueUpTo(3).get(0)), ErrorCode.OUT_OF_RANGE);
  }

  @Test
  void close_waitingEnqueue_letsItInFirst() {
    Queue queue = numbers(1);
    Output next = queue.dequeue().get(0);
    try (RunningStep enqueue = start(queue.enqueueMany(tf.constant(1, 2)))) {
      awaitSize(queue, 1);
      try (RunningStep close = start(queue.close())) {
        assertThat(fetch(next)).containsExactly(1);
        enqueue.await().close();
        close.await().close();
      }
    }
    assertThat(fetch(next)).containsExactly(2);
    assertFails(() -> fetch(next), ErrorCode.OUT_OF_RANGE);
  }

  @Test
  void closeAndCancel_waitingEnqueue_isCancelledAndElementsStay() {
    Queue queue = numbers(1);
    try (RunningStep enqueue = start(queue.enqueueMany(tf.constant(1, 2)))) {
      awaitSize(queue, 1);
      session.run(queue.close(true));

      assertFails(() -> enqueue.await(), ErrorCode.CANCELLED)
          .hasMessageContaining("Enqueue operation was cancelled");
    }
    assertThat(fetch(queue.dequeue().get(0))).containsExactly(1);
  }

  @Test
  void enqueue_closedQueue_isCancelled() {
    Queue queue = numbers(10);
    session.run(queue.close());

    assertFails(() -> session.run(queue.enqueue(tf.constant(1))), ErrorCode.CANCELLED)
        .hasMessageContaining("FIFOQueue 'FIFOQueueV2' is closed");
    assertFails(() -> session.run(queue.close()), ErrorCode.CANCELLED)
        .hasMessageContaining("already closed");
    session.run(queue.close(true));
  }

  @Test
  void cancel_waitingDequeueMany_putsElementsBackInOrder() {
    Queue queue = numbers(10);
    session.run(queue.enqueueMany(tf.constant(1, 2)));
    try (RunningStep waiting = start(queue.dequeueMany(3).get(0))) {
      awaitSize(queue, 0);
      waiting.cancel();
      assertFails(() -> waiting.await(), ErrorCode.CANCELLED);
    }
    session.run(queue.enqueue(tf.constant(3)));
    assertThat(fetch(queue.dequeueMany(3).get(0))).containsExactly(1, 2, 3);
  }

  @Test
  void cancel_firstInLine_letsTheNextGoOn() {
    Queue queue = numbers(10);
    session.run(queue.enqueue(tf.constant(1)));
    try (RunningStep first = start(queue.dequeueMany(2).get(0))) {
      awaitSize(queue, 0);
      try (RunningStep second = start(queue.dequeue().get(0))) {
        first.cancel();
        assertThat(value(second)).containsExactly(1);
      }
    }
  }

  @Test
  void cancel_waitingEnqueue_leavesNothingBehind() {
    Queue queue = numbers(1);
    session.run(queue.enqueue(tf.constant(1)));
    try (RunningStep waiting = start(queue.enqueue(tf.constant(2)))) {
      waiting.cancel();
      assertFails(() -> waiting.await(), ErrorCode.CANCELLED);
    }
    assertThat(fetch(queue.dequeue().get(0))).containsExactly(1);
    assertThat(fetch(queue.size())).containsExactly(0);
  }

  @Test
  void timeout_waitingDequeue_isNamed() {
    Output next = numbers(10).dequeue().get(0);

    assertFails(
            () ->
                session
                    .runner()
                    .fetch(next)
                    .options(RunOptions.defaults().withTimeout(Duration.ofMillis(30)))
                    .run(),
            ErrorCode.DEADLINE_EXCEEDED)
        .hasMessageContaining("FIFOQueueV2_Dequeue");
  }

  @Test
  void drop_waitingDequeue_isCancelledAndElementsAreReleased() {
    Queue queue = numbers(10);
    session.run(queue.enqueue(tf.constant(1)));
    try (RunningStep waiting = start(queue.dequeueMany(2).get(0))) {
      awaitSize(queue, 0);
      session.run(tf.state.destroyResourceOp(queue.handle(), false));

      assertFails(() -> waiting.await(), ErrorCode.CANCELLED).hasMessageContaining("was dropped");
    }
    assertThat(fetch(queue.size())).as("a new queue").containsExactly(0);
  }

  @Test
  void session_closedWithElementsAndWaitingSteps_releasesAll() {
    Queue queue = numbers(2);
    RunningStep enqueue = start(queue.enqueueMany(tf.constant(1, 2, 3)));
    awaitSize(queue, 2);
    RunningStep dequeue = start(numbers(2).dequeue().get(0));
    session.close();

    assertFails(() -> enqueue.await(), ErrorCode.CANCELLED);
    assertFails(() -> dequeue.await(), ErrorCode.CANCELLED);
  }

  @Test
  void sharedName_twoNodes_areOneQueue() {
    QueueOptions options = QueueOptions.of(5, INT32).withSharedName("shared");
    session.run(tf.queues.fifoQueue(options).enqueue(tf.constant(4)));

    assertThat(fetch(tf.queues.fifoQueue(options).dequeue().get(0))).containsExactly(4);
  }

  @Test
  void sharedName_unlikeTheFirst_isRefused() {
    QueueOptions options = QueueOptions.of(5, INT32).withSharedName("shared");
    fetch(tf.queues.fifoQueue(options).size());

    assertFails(
            () ->
                fetch(
                    tf.queues.fifoQueue(QueueOptions.of(6, INT32).withSharedName("shared")).size()),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("'shared'", "capacity 5", "6");
    assertFails(
            () -> fetch(tf.queues.randomShuffleQueue(options, 0).size()),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("FIFOQueue", "RandomShuffleQueue");
  }

  @Test
  void enqueue_otherShape_isRefused() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(5, FLOAT).withShapes(Shape.of(2)));

    assertFails(
            () -> session.run(queue.enqueue(tf.constant(1f, 2f, 3f))), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("component 0", "[2]", "[3]");
    assertFails(() -> session.run(queue.enqueueMany(tf.constant(1f))), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("scalar");
    assertThat(fetch(queue.size())).containsExactly(0);
  }

  @Test
  void enqueue_otherTypes_isRefused() {
    Queue queue = numbers(5);

    assertFails(() -> session.run(queue.enqueue(tf.constant(1f))), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("INT32", "FLOAT");
  }

  @Test
  void enqueueMany_componentsOfOtherSizes_isRefused() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(5, INT32, STRING));

    assertFails(
            () -> session.run(queue.enqueueMany(tf.constant(1, 2), tf.constant("a", "b", "c"))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("Component 1 has 3, and should have 2");
  }

  @Test
  void dequeueMany_withoutShapesOrNegative_isRefused() {
    Queue any = tf.queues.fifoQueue(QueueOptions.of(5, INT32));
    assertFails(() -> fetch(any.dequeueMany(1).get(0)), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("specified shapes");
    Queue queue = numbers(5);
    assertFails(() -> queue.dequeueMany(tf.constant(-1)), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("'n'");
    Output n = tf.placeholder(INT32, Shape.scalar());
    Output batch = queue.dequeueMany(n).get(0);
    try (Tensor negative = Tensor.scalar(-1)) {
      assertFails(
          () -> session.runner().feed(n, negative).fetch(batch).run(), ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void randomShuffleQueue_tooFewForMixing_waits() {
    Queue queue =
        tf.queues.randomShuffleQueue(QueueOptions.of(10, INT32).withShapes(Shape.scalar()), 2, 1L);
    session.run(queue.enqueueMany(tf.constant(5, 5)));
    try (RunningStep waiting = start(queue.dequeue().get(0))) {
      session.run(queue.enqueue(tf.constant(5)));
      assertThat(value(waiting)).containsExactly(5);
    }
    assertThat(fetch(queue.size())).containsExactly(2);
    session.run(queue.close());
    assertThat(fetch(queue.dequeueMany(2).get(0))).containsExactly(5, 5);
  }

  @Test
  void randomShuffleQueue_mixingAtCapacity_isRefused() {
    Queue queue = tf.queues.randomShuffleQueue(QueueOptions.of(10, INT32), 10);

    assertFails(() -> fetch(queue.size()), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("min_after_dequeue", "10");
  }

  @Test
  void priorityQueue_equalPriorities_comeInOrder() {
    Queue queue = tf.queues.priorityQueue(QueueOptions.of(20, INT32).withShapes(Shape.scalar()));
    session.run(
        queue.enqueueMany(tf.constant(3L, 3L, 1L, 3L, 1L), tf.constant(10, 11, 12, 13, 14)));

    assertThat(fetch(queue.dequeueMany(5).get(1))).containsExactly(12, 14, 10, 11, 13);
  }

  @Test
  void dequeueMany_ofKnownShapes_hasThemInTheGraph() {
    Queue queue =
        tf.queues.fifoQueue(
            QueueOptions.of(5, FLOAT, INT32).withShapes(Shape.of(2), Shape.scalar()));

    assertThat(queue.dequeue())
        .extracting(Output::shape)
        .containsExactly(Shape.of(2), Shape.scalar());
    assertThat(queue.dequeueMany(4))
        .extracting(Output::shape)
        .containsExactly(Shape.of(4, 2), Shape.of(4));
    assertThat(queue.dequeueUpTo(4))
        .extracting(Output::shape)
        .containsExactly(Shape.of(-1, 2), Shape.of(-1));
  }

  @Test
  void dequeue_ofAnImportedGraph_hasShapesToo() {
    Queue queue = tf.queues.priorityQueue(QueueOptions.of(5, FLOAT).withShapes(Shape.of(2)));
    String name = queue.dequeueMany(4).get(1).name();
    Graph imported = new Graph(tf.graph().registry());
    GraphDefs.importInto(imported, GraphDefs.toProto(tf.graph()));

    assertThat(imported.output(name).shape()).isEqualTo(Shape.of(4, 2));
    imported.close();
  }

  private Queue numbers(int capacity) {
    return tf.queues.fifoQueue(QueueOptions.of(capacity, INT32).withShapes(Shape.scalar()));
  }

  private RunningStep start(Output fetch) {
    return session.runner().fetch(fetch).start();
  }

  private RunningStep start(Operation target) {
    return session.runner().target(target).start();
  }

  private int[] fetch(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).toInts();
    }
  }

  private static int[] value(RunningStep step) {
    try (StepResult result = step.await()) {
      return result.get(0).toInts();
    }
  }

  /** Waits until a step that was started has put in or taken out what it can. */
  private void awaitSize(Queue queue, int size) {
    Output now = queue.size();
    while (fetch(now)[0] != size) {
      Thread.onSpinWait();
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      ThrowingCallable call, ErrorCode code) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
