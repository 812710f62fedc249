package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.LiveTensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many threads run steps of one session on the same variables. All waits are bounded. */
class ConcurrencyTest {
  private static final int THREADS = 8;
  private static final int STEPS_OF_A_THREAD = 1_250;
  private static final int TOTAL = THREADS * STEPS_OF_A_THREAD;
  private static final int WIDTH = 64;

  /** The work of one thread's step. */
  private interface Work {
    void run(int thread, int step) throws Exception;
  }

  @Test
  void steps_tenThousandOnSharedVariables_loseNothingAndLeakNothing() throws Exception {
    LiveTensors before = LiveTensors.of(Allocator.shared());
    Ops tf = Ops.create();
    Variable resource = tf.variable("resource", tf.constant(new float[WIDTH]));
    Output reference = tf.state.variableV2(DataType.INT64, Shape.scalar());
    Output cleared = tf.state.assign(reference, tf.constant(0L));
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(WIDTH));
    Operation addToResource = resource.assignAdd(x);
    Output counted = tf.state.assignAdd(reference, tf.constant(1L));
    Output twice = tf.add(resource.value(), resource.value());

    try (Session session = Session.local(tf.graph());
        Tensor ones = ones()) {
      session.run(resource.initializer(), cleared.operation());
      inParallel(
          (thread, step) -> {
            StepRunner runner = session.runner();
            switch (step % 3) {
              case 0:
                runner.fetch(counted).target(addToResource).feed(x, ones);
                break;
              case 1:
                runner
                    .fetch(reference)
                    .fetch(twice)
                    .target(addToResource)
                    .target(counted.operation())
                    .feed(x, ones);
                break;
              default:
                runner.fetch(resource.value()).fetch(counted).feed(x, ones).target(addToResource);
            }
            try (StepResult result = runner.run()) {
              result.forEach(ConcurrencyTest::requireWhole);
            }
          });
      try (StepResult last = session.runner().fetch(resource.value()).fetch(reference).run()) {
        assertThat(last.get(0).toFloats()).containsOnly(TOTAL);
        assertThat(last.get(1).longValue()).isEqualTo(TOTAL);
      }
    }

    tf.graph().close();
    before.requireNoMore();
  }

  @Test
  void steps_transferBetweenVariables_keepTheSum() throws Exception {
    Ops tf = Ops.create();
    Variable left = tf.variable("left", tf.constant(0f));
    Variable right = tf.variable("right", tf.constant(0f));
    Output amount = tf.placeholder(DataType.FLOAT, Shape.scalar());
    Operation take = left.assignSub(amount);
    Operation give = right.assignAdd(amount);

    try (Session session = Session.local(tf.graph())) {
      session.run(left.initializer(), right.initializer());
      inParallel(
          (thread, step) -> {
            try (Tensor sum = Tensor.scalar((float) (thread + 1))) {
              session.runner().feed(amount, sum).target(take).target(give).run().close();
            }
          });
      float total = STEPS_OF_A_THREAD * THREADS * (THREADS + 1) / 2;
      try (StepResult last = session.runner().fetch(left.value()).fetch(right.value()).run()) {
        assertThat(last.get(0).floatValue()).isEqualTo(-total);
        assertThat(last.get(1).floatValue()).isEqualTo(total);
      }
    }
  }

  @Test
  void steps_manyPlansAtOnce_eachGetsItsOwn() throws Exception {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    List<Output> sums = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      sums.add(tf.add(i == 0 ? x : sums.get(i - 1), tf.constant(1f)));
    }

    try (Session session = Session.local(tf.graph())) {
      inParallel(
          (thread, step) -> {
            int which = (step * 7 + thread) % sums.size();
            try (Tensor fed = Tensor.scalar((float) step);
                StepResult result = session.runner().feed(x, fed).fetch(sums.get(which)).run()) {
              assertThat(result.get(0).floatValue()).isEqualTo(step + which + 1);
            }
          });
    }
  }

  private static void requireWhole(Tensor tensor) {
    if (tensor.type() == DataType.FLOAT) {
      float[] values = tensor.toFloats();
      for (float value : values) {
        if (value != values[0]) {
          throw new AssertionError("a read saw half an update: " + values[0] + " beside " + value);
        }
      }
    }
  }

  private static Tensor ones() {
    float[] values = new float[WIDTH];
    Arrays.fill(values, 1f);
    return Tensor.of(values);
  }

  private static void inParallel(Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        done.add(
            pool.submit(
                () -> {
                  start.await(60, TimeUnit.SECONDS);
                  for (int step = 0; step < STEPS_OF_A_THREAD; step++) {
                    work.run(thread, step);
                  }
                  return null;
                }));
      }
      for (Future<?> future : done) {
        future.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
      assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
