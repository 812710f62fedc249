package dev.tributary.internal.kernel.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Steps whose file ops wait for a file system that does not answer. */
@NoLeaks
@Timeout(60)
class FileKernelTest {
  private static final Duration SOON = Duration.ofSeconds(2);

  /** As many pieces of work as run at a time; see {@code FileThreads}. */
  private static final int PLACES = 16;

  private static final int MORE_THAN_PLACES = 20;

  @TempDir private Path folder;
  private final Semaphore began = new Semaphore(0);
  private final Semaphore ended = new Semaphore(0);
  private final CountDownLatch mountIsBack = new CountDownLatch(1);
  private final Ops tf = new Ops(new Graph(registry()).scope());
  private final Session session =
      Session.local(tf.graph(), SessionOptions.defaults().withInterOpThreads(1));

  @AfterEach
  void close() {
    mountIsBack.countDown();
    session.close();
    tf.graph().close();
  }

  @Test
  void step_stuckInTheFileSystem_endsAtItsDeadline() {
    Operation stuck = tf.scope().operation("TestStuck").build();
    long start = System.nanoTime();

    TributaryException failure =
        catchThrowableOfType(
            TributaryException.class,
            () ->
                session
                    .runner()
                    .target(stuck)
                    .options(RunOptions.defaults().withTimeout(Duration.ofMillis(200)))
                    .run());

    assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(failure).hasMessageContaining("TestStuck");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
  }

  @Test
  void step_cancelledWhileItsThreadIsStuck_endsAtOnce() throws InterruptedException {
    Operation stuck = tf.scope().operation("TestStuck").build();
    try (RunningStep step = session.runner().target(stuck).start()) {
      assertThat(began.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      long start = System.nanoTime();

      step.cancel();

      assertThat(catchThrowableOfType(TributaryException.class, step::await).code())
          .isEqualTo(ErrorCode.CANCELLED);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
      assertThat(ended.availablePermits()).isZero();
    }
  }

  @Test
  void step_besideManyThatAreStuck_hasThreadsToRunOn() throws Exception {
    Operation stuck = tf.scope().operation("TestStuck").build();
    Output sum = tf.add(tf.constant(1f), tf.constant(2f));
    Output content =
        tf.io.readFile(tf.constant(Files.writeString(folder.resolve("file"), "text").toString()));
    List<RunningStep> steps = new ArrayList<>();
    for (int i = 0; i < MORE_THAN_PLACES; i++) {
      steps.add(session.runner().target(stuck).start());
    }

    try (RunningStep step = session.runner().fetch(sum).start();
        StepResult result = step.await()) {
      assertThat(result.get(0).floatValue()).isEqualTo(3);
    }
    assertThat(began.tryAcquire(PLACES, 10, TimeUnit.SECONDS)).isTrue();
    // No place is free for a file, so that this step waits for as long as it may.
    RunOptions brief = RunOptions.defaults().withTimeout(Duration.ofMillis(100));
    assertThat(
            catchThrowableOfType(
                    TributaryException.class,
                    () -> session.runner().fetch(content).options(brief).run())
                .code())
        .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);

    // Steps that have ended leave their places, though their threads are still stuck.
    steps.forEach(RunningStep::cancel);
    for (RunningStep step : steps) {
      assertThatExceptionOfType(TributaryException.class).isThrownBy(step::await);
    }
    try (StepResult result = session.runner().fetch(content).run()) {
      assertThat(result.get(0).stringValue()).isEqualTo("text");
    }
    assertThat(ended.availablePermits()).isZero();
  }

  @Test
  void read_thatFoundNoThread_leavesItsWorkToTheNext() throws Exception {
    Operation stuck = tf.scope().operation("TestStuck").build();
    Queue queue =
        tf.queues.fifoQueue(QueueOptions.of(10, DataType.STRING).withShapes(Shape.scalar()));
    String file = Files.writeString(folder.resolve("lines"), "first\nsecond\n").toString();
    Output line = tf.io.textLineReader(0).read(queue).value();
    session.run(queue.enqueue(tf.constant(file)));
    List<RunningStep> steps = new ArrayList<>();
    for (int i = 0; i < MORE_THAN_PLACES; i++) {
      steps.add(session.runner().target(stuck).start());
    }
    assertThat(began.tryAcquire(PLACES, 10, TimeUnit.SECONDS)).isTrue();
    RunOptions brief = RunOptions.defaults().withTimeout(Duration.ofMillis(100));
    assertThat(
            catchThrowableOfType(
                    TributaryException.class,
                    () -> session.runner().fetch(line).options(brief).run())
                .code())
        .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);

    steps.forEach(RunningStep::close);

    for (String expected : List.of("first", "second")) {
      try (StepResult result = session.runner().fetch(line).run()) {
        assertThat(result.get(0).stringValue()).isEqualTo(expected);
      }
    }
  }

  @Test
  void inputs_ofAStepThatEndedFirst_areKeptUntilTheWorkHasEnded() throws InterruptedException {
    Output x = tf.constant(new float[1 << 16]);
    Operation stuck = tf.scope().operation("TestStuckWithInput").input(tf.add(x, x)).build();
    try (RunningStep step = session.runner().target(stuck).start()) {
      assertThat(began.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      step.cancel();
      assertThatExceptionOfType(TributaryException.class).isThrownBy(step::await);
    }

    mountIsBack.countDown();

    assertThat(ended.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
  }

  private OpRegistry registry() {
    List<OpDeclaration> all = new ArrayList<>(Ops.registry().all());
    all.add(
        declare(
            new OpDefBuilder("TestStuck"), node -> new FileKernel(node, context -> this::hang)));
    all.add(
        declare(
            new OpDefBuilder("TestStuckWithInput").input("x: float"),
            node ->
                new FileKernel(
                    node,
                    context -> {
                      Tensor x = context.input(0).retain();
                      return new FileWork() {
                        @Override
                        public Outcome run() {
                          Outcome outcome = hang();
                          assertThat(x.toFloats()).containsOnly(0);
                          return outcome;
                        }

                        @Override
                        public void close() {
                          x.close();
                        }
                      };
                    })));
    return new OpRegistry(all);
  }

  private static OpDeclaration declare(OpDefBuilder def, KernelFactory kernel) {
    return new OpDeclaration(
        def.stateful().build(),
        ShapeRules::unknown,
        Optional.empty(),
        kernel,
        Optional.empty(),
        FlowKind.NONE,
        Set.of());
  }

  /** Heeds no interruption, as a system call on a dead mount. */
  private FileWork.Outcome hang() {
    began.release();
    while (mountIsBack.getCount() > 0) {
      LockSupport.parkNanos(1_000_000);
      Thread.interrupted();
    }
    ended.release();
    return call -> {};
  }
}
