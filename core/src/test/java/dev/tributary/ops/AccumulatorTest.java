package dev.tributary.ops;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
@Timeout(60)
class AccumulatorTest {
  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());

  @AfterEach
  void close() {
    session.close();
    tf.graph().close();
  }

  @Test
  void take_tooFewGradients_waitsAndGivesTheMean() {
    Accumulator accumulator = dense(Shape.of(2));
    try (RunningStep waiting = start(accumulator.takeGradient(2))) {
      session.run(accumulator.applyGradient(tf.constant(1f, 2f), step(0)));
      session.run(accumulator.applyGradient(tf.constant(3f, 6f), step(0)));

      assertThat(value(waiting)).containsExactly(2f, 4f);
    }
    assertThat(count(accumulator)).isZero();
  }

  @Test
  void take_moreGradientsThanRequired_givesTheMeanOfAll() {
    Accumulator accumulator = dense(Shape.scalar());
    for (float gradient : new float[] {1, 2, 6}) {
      session.run(accumulator.applyGradient(tf.constant(gradient), step(0)));
    }

    assertThat(fetch(accumulator.takeGradient(1))).containsExactly(3f);
  }

  @Test
  void apply_gradientOfAnEarlierStep_isDropped() {
    Accumulator accumulator = dense(Shape.scalar());
    session.run(accumulator.applyGradient(tf.constant(1f), step(0)));
    fetch(accumulator.takeGradient(1));
    session.run(accumulator.applyGradient(tf.constant(2f), step(0)));
    assertThat(count(accumulator)).as("stale").isZero();
    session.run(accumulator.applyGradient(tf.constant(3f), step(1)));
    assertThat(fetch(accumulator.takeGradient(1))).containsExactly(3f);
    session.run(accumulator.setGlobalStep(step(10)));
    session.run(accumulator.applyGradient(tf.constant(4f), step(9)));

    assertThat(count(accumulator)).as("stale").isZero();
  }

  @Test
  void apply_gradientThatIsAlsoFetched_leavesItAsItIs() {
    Accumulator accumulator = dense(Shape.of(2));
    Output gradient = tf.add(tf.constant(1f, 2f), tf.constant(0f, 0f));
    Operation apply = accumulator.applyGradient(gradient, step(0));
    try (StepResult first = session.runner().fetch(gradient).target(apply).run()) {
      session.run(apply);
      session.run(apply);
      assertThat(first.get(0).toFloats()).containsExactly(1f, 2f);
    }
    assertThat(fetch(accumulator.takeGradient(3))).containsExactly(1f, 2f);
  }

  @Test
  void apply_otherShape_isRefusedAndDoesNotCount() {
    Accumulator accumulator = dense(Shape.of(-1));
    assertFails(
            () -> session.run(accumulator.applyGradient(tf.constant(1f), step(0))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("[?]", "[]");
    session.run(accumulator.applyGradient(tf.constant(1f, 2f), step(0)));
    assertFails(
            () -> session.run(accumulator.applyGradient(tf.constant(1f, 2f, 3f), step(0))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("[2]", "[3]");

    assertThat(count(accumulator)).isEqualTo(1);
  }

  @Test
  void take_noneRequired_isRefused() {
    assertFails(() -> fetch(dense(Shape.scalar()).takeGradient(0)), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("num_required");
  }

  @Test
  void cancel_waitingTake_leavesGradients() {
    Accumulator accumulator = dense(Shape.scalar());
    session.run(accumulator.applyGradient(tf.constant(1f), step(0)));
    try (RunningStep waiting = start(accumulator.takeGradient(2))) {
      waiting.cancel();
      assertFails(() -> waiting.await(), ErrorCode.CANCELLED);
    }
    session.run(accumulator.applyGradient(tf.constant(3f), step(0)));

    assertThat(fetch(accumulator.takeGradient(2))).containsExactly(2f);
  }

  @Test
  void sharedName_unlikeTheFirst_isRefused() {
    AccumulatorOptions options =
        AccumulatorOptions.of(FLOAT, Shape.scalar()).withSharedName("shared");
    fetchInt(tf.queues.conditionalAccumulator(options).accumulated());

    assertFails(
            () ->
                fetchInt(
                    tf.queues
                        .conditionalAccumulator(
                            AccumulatorOptions.of(DOUBLE, Shape.scalar()).withSharedName("shared"))
                        .accumulated()),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("'shared'", "float", "double");
  }

  @Test
  void sum_manyThreads_losesNoGradient() throws Exception {
    Accumulator accumulator =
        tf.queues.conditionalAccumulator(
            AccumulatorOptions.of(FLOAT, Shape.of(2))
                .withReduction(AccumulatorOptions.Reduction.SUM));
    Operation apply = accumulator.applyGradient(tf.constant(1f, 2f), step(1000));
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (RunningStep waiting = start(accumulator.takeGradient(600))) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        workers.add(
            threads.submit(
                () -> {
                  for (int j = 0; j < 100; j++) {
                    session.run(apply);
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get(50, TimeUnit.SECONDS);
      }
      assertThat(value(waiting)).containsExactly(600f, 1200f);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void session_closedWithGradientsAndAWaitingTake_releasesAll() {
    Accumulator accumulator = dense(Shape.of(2));
    SparseAccumulator sparse = sparse();
    session.run(accumulator.applyGradient(tf.constant(1f, 2f), step(0)));
    session.run(sparse.applyGradient(indices(1), rows(1f, 2f), step(0)));
    RunningStep waiting = start(accumulator.takeGradient(2));
    session.close();

    assertFails(() -> waiting.await(), ErrorCode.CANCELLED);
  }

  @Test
  void sparse_rowOfSeveralGradients_isDividedByItsOwnCount() {
    SparseAccumulator accumulator = sparse();
    session.run(accumulator.applyGradient(indices(5, 1), rows(1f, 2f, 10f, 20f), step(0)));
    session.run(accumulator.applyGradient(indices(5), rows(3f, 4f), step(0)));
    IndexedSlices taken = accumulator.takeGradient(2);
    try (StepResult result =
        session
            .runner()
            .fetch(taken.indices())
            .fetch(taken.values())
            .fetch(taken.denseShape())
            .run()) {
      assertThat(result.get(0).toLongs()).containsExactly(1, 5);
      assertThat(result.get(1).toFloats()).containsExactly(10f, 20f, 2f, 3f);
      assertThat(result.get(2).toLongs()).containsExactly(10, 2);
    }
  }

  @Test
  void sparse_indexTwiceInOneGradient_countsOnce() {
    SparseAccumulator accumulator = sparse();
    session.run(accumulator.applyGradient(indices(3, 3), rows(1f, 2f, 5f, 6f), step(0)));

    assertThat(fetch(accumulator.takeGradient(1).values())).containsExactly(6f, 8f);
  }

  @Test
  void sparse_manyRows_areAllKept() {
    SparseAccumulator accumulator = sparse();
    long[] indices = new long[100];
    float[] values = new float[200];
    for (int i = 0; i < 100; i++) {
      indices[i] = 99L - i;
      values[2 * i] = 99 - i;
    }
    Operation apply = accumulator.applyGradient(indices(indices), rows(values), step(0));
    session.run(apply);
    session.run(apply);
    float[] mean = fetch(accumulator.takeGradient(2).values());

    for (int i = 0; i < 100; i++) {
      assertThat(mean[2 * i]).isEqualTo(i);
    }
  }

  @Test
  void sparse_wrongShapes_areRefused() {
    SparseAccumulator accumulator = sparse();
    assertFails(
            () -> session.run(accumulator.applyGradient(indices(1), tf.constant(1f), step(0))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("vector");
    assertFails(
            () -> session.run(accumulator.applyGradient(indices(1, 2), rows(1f, 2f), step(0))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("as many indices");
    assertFails(
            () ->
                session.run(accumulator.applyGradient(indices(1, 2), tf.constant(1f, 2f), step(0))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("Shape mismatch");
    assertThat(fetchInt(accumulator.accumulated())).isZero();
  }

  private Accumulator dense(Shape shape) {
    return tf.queues.conditionalAccumulator(AccumulatorOptions.of(FLOAT, shape));
  }

  private SparseAccumulator sparse() {
    return tf.queues.sparseConditionalAccumulator(AccumulatorOptions.of(FLOAT, Shape.of(10, 2)));
  }

  private Output step(long step) {
    return tf.constant(step);
  }

  private Output indices(long... indices) {
    return tf.constant(indices);
  }

  private Output rows(float... values) {
    return tf.constant(Shape.of(values.length / 2, 2), values);
  }

  private int count(Accumulator accumulator) {
    return fetchInt(accumulator.accumulated());
  }

  private int fetchInt(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).intValue();
    }
  }

  private float[] fetch(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).toFloats();
    }
  }

  private RunningStep start(Output fetch) {
    return session.runner().fetch(fetch).start();
  }

  private static float[] value(RunningStep step) {
    try (StepResult result = step.await()) {
      return result.get(0).toFloats();
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      ThrowingCallable call, ErrorCode code) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
