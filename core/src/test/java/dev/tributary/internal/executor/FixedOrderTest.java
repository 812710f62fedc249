package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.session.RunOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.trace.StepTrace;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Graphs without control flow in their fixed order; the others of the contract still run. */
class FixedOrderTest extends ExecutorContract {
  FixedOrderTest() {
    super(true);
  }

  @Test
  void nodes_readyAtTheSameTime_runInTheOrderTheyWereMade() {
    Output first = tf.add(x, tf.constant(1));
    Output second = tf.sub(x, tf.constant(1));
    Output third = tf.add(second, first);
    try (Tensor feed = Tensor.scalar(5L);
        StepResult result =
            session
                .runner()
                .feed(x, feed)
                .fetch(third)
                .options(RunOptions.defaults().withTrace())
                .run()) {
      List<String> names =
          result.trace().orElseThrow().nodes().stream().map(StepTrace.NodeTrace::name).toList();
      assertThat(names)
          .containsSubsequence(
              first.operation().name(), second.operation().name(), third.operation().name());
    }
  }

  @Test
  void chain_whoseValuesAreUsedOnce_runsInOneBlock() {
    Output value = tf.add(x, x);
    for (int i = 0; i < 100; i++) {
      value = tf.add(value, x);
    }
    run(value, 1);
    long before = allocations();
    run(value, 1);

    // The feed, and the first sum, into which all others are written.
    assertThat(allocations() - before).isEqualTo(2);
  }

  private static long allocations() {
    return Allocator.shared().stats().allocations();
  }
}
