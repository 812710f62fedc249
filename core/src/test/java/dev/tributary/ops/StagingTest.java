package dev.tributary.ops;

import static dev.tributary.tensor.DataType.INT32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that wait at staging areas, staging maps and barriers. */
@NoLeaks
@Timeout(60)
class StagingTest {
  private static final List<DataType> INTS = List.of(INT32);

  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());

  @AfterEach
  void close() {
    session.close();
    tf.graph().close();
  }

  @Test
  void unstage_emptyArea_waitsForAStage() {
    try (RunningStep waiting = start(tf.queues.unstage("area", INTS).get(0))) {
      session.run(tf.queues.stage("area", List.of(tf.constant(7))));

      assertThat(value(waiting)).containsExactly(7);
    }
  }

  @Test
  void cancel_waitingUnstage_leavesTheNextTupleToOthers() {
    Output next = tf.queues.unstage("area", INTS).get(0);
    try (RunningStep waiting = start(next)) {
      waiting.cancel();
      assertCancelled(waiting);
    }
    session.run(tf.queues.stage("area", List.of(tf.constant(7))));

    assertThat(value(start(next))).containsExactly(7);
  }

  @Test
  void mapUnstage_keyThatIsMissing_doesNotHoldUpOtherKeys() {
    Output second = mapUnstage(2);
    try (RunningStep first = start(mapUnstage(1));
        RunningStep other = start(second)) {
      session.run(mapStage(2, 20));

      assertThat(value(other)).containsExactly(20);
      first.cancel();
      assertCancelled(first);
    }
  }

  @Test
  void cancel_waitingTakeMany_leavesTheBarrierUsable() {
    Output barrier = tf.queues.barrier(INTS, List.of(Shape.scalar()), "barrier");
    Output taken = tf.queues.barrierTakeMany(barrier, tf.constant(1), INTS, false).get(2);
    try (RunningStep waiting = start(taken)) {
      waiting.cancel();
      assertCancelled(waiting);
    }
    session.run(
        tf.queues.barrierInsertMany(
            barrier, 0, tf.constant(new String[] {"key"}), tf.constant(new int[] {5})));

    assertThat(value(start(taken))).containsExactly(5);
  }

  private Output mapUnstage(long key) {
    return tf.scope()
        .operation("MapUnstage")
        .input(tf.constant(key))
        .input(tf.constant(new int[] {0}))
        .attr("dtypes", INTS)
        .attr("shared_name", "map")
        .buildOutput();
  }

  private Operation mapStage(long key, int value) {
    return tf.scope()
        .operation("MapStage")
        .input(tf.constant(key))
        .input(tf.constant(new int[] {0}))
        .inputList(List.of(tf.constant(value)))
        .attr("dtypes", INTS)
        .attr("shared_name", "map")
        .build();
  }

  private RunningStep start(Output fetch) {
    return session.runner().fetch(fetch).start();
  }

  private static int[] value(RunningStep step) {
    try (StepResult result = step.await()) {
      return result.get(0).toInts();
    }
  }

  private static void assertCancelled(RunningStep step) {
    assertThatThrownBy(step::await)
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
  }
}
