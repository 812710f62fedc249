package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.ops.Ops;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endlessLoop_onThePool_leavesTheThreadAfterEachSlice(boolean fixedOrder) {
    Queue<Runnable> pool = new ArrayDeque<>();
    List<Optional<RuntimeException>> ends = new ArrayList<>();
    Cancellation cancellation = new Cancellation();
    try (Part part = new Part(0)) {
      Output zero = part.tf.constant(0);
      part.tf.loop(
          "endless",
          1,
          zero,
          part.tf.constant(1),
          v -> part.tf.add(v, part.tf.enter(zero, "endless", true, 1)));
      ExecutableGraph graph = part.compile();
      assertThat(graph.fixedOrder).isPresent();
      new Executor(pool::add, fixedOrder)
          .prepare(graph, step(cancellation), Optional.empty(), ends::add)
          .startOnPool();

      for (int i = 0; i < 4; i++) {
        pool.remove().run();
      }
      assertThat(ends).isEmpty();

      cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "enough"));
      pool.remove().run();
      assertThat(pool).isEmpty();
      assertThat(ends).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void node_onALentThread_runsThereIfItsInputsAreFew(boolean fixedOrder, boolean hasControlFlow) {
    assertThat(turnsElsewhere(1, fixedOrder, hasControlFlow)).isZero();
    assertThat(turnsElsewhere(100_000, fixedOrder, hasControlFlow)).isZero();
    assertThat(turnsElsewhere(300_000, fixedOrder, hasControlFlow)).isEqualTo(1);
  }

  /** The changes to other threads of a step that begins on a lent one, for an expensive node. */
  private static int turnsElsewhere(int elements, boolean fixedOrder, boolean hasControlFlow) {
    LentThreads threads = new LentThreads();
    List<Optional<RuntimeException>> ends = new ArrayList<>();
    try (Part part = new Part(0)) {
      Output value = new Ops(part.tf.graph().scope()).constant(new long[elements]);
      if (hasControlFlow) {
        value =
            part.tf
                .switchOn(value, part.tf.less(part.tf.constant(1), part.tf.constant(2)))
                .output(1);
      }
      part.tf.op("TestLong", value);
      new Executor(threads, fixedOrder)
          .prepare(part.compile(), step(new Cancellation()), Optional.empty(), ends::add)
          .startOnPool();
      threads.lent.remove().run();
      threads.isLent = false;
      int turns = threads.elsewhere.size();
      threads.elsewhere.forEach(Runnable::run);
      assertThat(ends).containsExactly(Optional.empty());
      return turns;
    }
  }

  /** Tasks that wait for a thread that is lent, and for one that is not. */
  private static final class LentThreads implements StepThreads {
    final Queue<Runnable> lent = new ArrayDeque<>();
    final Queue<Runnable> elsewhere = new ArrayDeque<>();
    boolean isLent = true;

    @Override
    public void execute(Runnable task) {
      lent.add(task);
    }

    @Override
    public boolean isLent() {
      return isLent;
    }

    @Override
    public void executeElsewhere(Runnable task) {
      elsewhere.add(task);
    }
  }

  private static Step step(Cancellation cancellation) {
    return new Step(1, cancellation, CallFrame.empty(), new LocalRendezvous());
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
      new Executor(pool::add, fixedOrder)
          .prepare(part.compile(), step(new Cancellation()), Optional.empty(), ends::add)
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
