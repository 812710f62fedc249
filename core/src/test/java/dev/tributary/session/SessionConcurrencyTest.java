package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
@Timeout(120)
class SessionConcurrencyTest {
  private static final int THREADS = 8;
  private static final int STEPS = 10_000;

  private final TinyOps tf = new TinyOps();
  private final Session session = Session.local(tf.graph());
  private final ExecutorService clients = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void close() {
    clients.shutdownNow();
    session.close();
    tf.close();
  }

  @Test
  void steps_ofManyThreadsOnSharedVariables_loseNoUpdate() throws Exception {
    Output x = tf.placeholder(Shape.scalar());
    Output a = count("a", x);
    Output b = count("b", tf.add(x, x));
    Output both = tf.add(a, b);
    onAllThreads(
        () -> {
          try (Tensor one = Tensor.scalar(1L)) {
            for (int i = 0; i < STEPS / THREADS; i++) {
              session.run(Map.of(x, one), List.of(both), List.of()).close();
            }
          }
        });

    try (Tensor zero = Tensor.scalar(0L);
        StepResult result = session.run(Map.of(x, zero), List.of(a, b), List.of())) {
      assertThat(result).extracting(Tensor::longValue).containsExactly((long) STEPS, 2L * STEPS);
    }
  }

  @Test
  void assignAdd_ofManyThreadsOnAResourceVariable_losesNoUpdate() throws Exception {
    Ops ops = new Ops(tf.graph().scope());
    Variable w = ops.state.variable("w", tf.constant(0));
    Operation update = w.assignAdd(tf.constant(1));
    session.run(ops.globalVariablesInitializer());
    onAllThreads(
        () -> {
          for (int i = 0; i < STEPS / THREADS; i++) {
            session.runner().fetch(w.value()).target(update).run().close();
          }
        });

    try (StepResult result = session.runner().fetch(w.value()).run()) {
      assertThat(result.get(0).longValue()).isEqualTo(STEPS);
    }
  }

  @Test
  void steps_ofManyThreadsWhereSomeFail_leaveTheOthersAlone() throws Exception {
    Output x = tf.placeholder(Shape.scalar());
    Output good =
        tf.loop(
            "l", 10, tf.constant(0), x, v -> tf.add(v, tf.enter(tf.constant(1), "l", true, 10)));
    Output bad = tf.add(good, tf.op("TestFail", x));
    List<Future<Long>> sums = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      boolean fails = t % 2 == 1;
      sums.add(clients.submit(() -> fails ? failures(x, bad) : successes(x, good)));
    }
    for (Future<Long> sum : sums) {
      assertThat(sum.get(100, TimeUnit.SECONDS)).isEqualTo(200);
    }
  }

  @Test
  void close_whileManyThreadsRunSteps_endsThemAll() throws Exception {
    Output y = tf.op("TestAtOnce", tf.op("TestWait", tf.constant(1)));
    List<Future<String>> ends = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      ends.add(
          clients.submit(
              () -> {
                try {
                  while (true) {
                    session.runner().fetch(y).run().close();
                  }
                } catch (RuntimeException e) {
                  return e.getMessage();
                }
              }));
    }
    for (int i = 0; i < 500; i++) {
      tf.gate.next().pass();
    }
    session.close();

    for (Future<String> end : ends) {
      assertThat(end.get(20, TimeUnit.SECONDS))
          .isEqualTo("the session is closed: open another one on the same graph");
    }
  }

  private void onAllThreads(Runnable work) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      running.add(clients.submit(work));
    }
    for (Future<?> thread : running) {
      thread.get(100, TimeUnit.SECONDS);
    }
  }

  private long successes(Output x, Output good) {
    long right = 0;
    for (int i = 0; i < 200; i++) {
      try (Tensor feed = Tensor.scalar((long) i);
          StepResult result = session.run(Map.of(x, feed), List.of(good), List.of())) {
        right += result.get(0).longValue() == i ? 1 : 0;
      }
    }
    return right;
  }

  private long failures(Output x, Output bad) {
    long failed = 0;
    for (int i = 0; i < 200; i++) {
      try (Tensor feed = Tensor.scalar((long) i)) {
        session.run(Map.of(x, feed), List.of(bad), List.of()).close();
      } catch (RuntimeException e) {
        failed += e.getMessage().contains("broken on purpose") ? 1 : 0;
      }
    }
    return failed;
  }

  private Output count(String name, Output delta) {
    return tf.graph()
        .scope()
        .operation("TestCount")
        .input(delta)
        .attr("shared_name", name)
        .buildOutput();
  }
}
