package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that run for long, or for ever, leave threads to others. */
@NoLeaks
@Timeout(60)
class StepFairnessTest {
  private static final int THREADS = 2;
  private static final Duration SOON = Duration.ofSeconds(2);

  private final TinyOps tf = new TinyOps();
  private final Output x = tf.placeholder(Shape.scalar());

  @AfterEach
  void close() {
    tf.close();
  }

  @Test
  void step_besideMoreEndlessLoopsThanThreads_endsSoon() throws Exception {
    Output endless = endlessLoop();
    Output sum = tf.add(x, x);
    List<RunningStep> loops = new ArrayList<>();
    try (Session session =
            Session.local(tf.graph(), SessionOptions.defaults().withInterOpThreads(THREADS));
        Tensor feed = Tensor.scalar(2L)) {
      for (int i = 0; i < 2 * THREADS; i++) {
        loops.add(session.runner().feed(x, feed).fetch(endless).start());
      }

      CompletableFuture<Long> result =
          CompletableFuture.supplyAsync(
              () -> {
                try (RunningStep step = session.runner().feed(x, feed).fetch(sum).start();
                    StepResult value = step.await()) {
                  return value.get(0).longValue();
                }
              });
      assertThat(result.get(SOON.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo(4);

      long start = System.nanoTime();
      loops.forEach(RunningStep::cancel);
      for (RunningStep loop : loops) {
        assertThatThrownBy(loop::await).hasMessageContaining("cancel");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    }
  }

  @Test
  void longStep_inFixedOrderOnThePool_runsInManySlices() {
    assertThat(turns(true)).isGreaterThan(3);
  }

  @Test
  void longStep_inAnyOrderOnThePool_runsInManySlices() {
    assertThat(turns(false)).isGreaterThan(3);
  }

  /** How many turns a step takes whose nodes need about ten slices. */
  private int turns(boolean fixedOrder) {
    Queue<Runnable> pool = new ArrayDeque<>();
    int nodes = 20;
    List<Optional<RuntimeException>> ends = new ArrayList<>();
    try (Part part = new Part(0)) {
      Output value = part.tf.constant(1);
      for (int i = 0; i < nodes; i++) {
        value = part.tf.op("TestLong", value);
      }
      Step step = new Step(1, new Cancellation(), CallFrame.empty(), new LocalRendezvous());
      new Executor(pool::add, fixedOrder)
          .prepare(part.compile(), step, Optional.empty(), ends::add)
          .startOnPool();
      int turns = 0;
      for (Runnable turn = pool.poll(); turn != null; turn = pool.poll()) {
        turn.run();
        turns++;
      }
      assertThat(ends).containsExactly(Optional.empty());
      return turns;
    }
  }

  private Output endlessLoop() {
    Output limit = tf.constant(Long.MAX_VALUE);
    Output zero = tf.constant(0);
    return tf.loop("endless", 1, x, limit, v -> tf.add(v, tf.enter(zero, "endless", true, 1)));
  }
}
