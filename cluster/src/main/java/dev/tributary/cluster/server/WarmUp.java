package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm-up of a process, once, when its first server is ready: a small step on two tasks, so
 * that the first step of a user finds classes loaded and calls linked. The tasks listen on loopback
 * for as long as it takes and let nobody in; what they do touches nothing of the server's. A
 * warm-up that fails is given up. Safe for use by many threads.
 */
final class WarmUp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final AtomicBoolean BEGUN = new AtomicBoolean();
  private static final String JOB = "warmup";

  /** So long a client in this process may take to begin: it needs the cores itself. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerOptions options;
  private final BooleanSupplier isUsed;
  private final Thread thread = new Thread(this::run, "tributary-warm-up");
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param options of the server; what its steps go through is what is warmed up
   * @param isUsed whether somebody uses the server, so that it is too late for a warm-up
   */
  WarmUp(ServerOptions options, BooleanSupplier isUsed) {
    this.options = options;
    this.isUsed = isUsed;
    thread.setDaemon(true);
  }

  /** Begins it in the background, unless this process has had its warm-up. */
  static Optional<WarmUp> begin(ServerOptions options, BooleanSupplier isUsed) {
    return BEGUN.compareAndSet(false, true)
        ? Optional.of(new WarmUp(options, isUsed).start())
        : Optional.empty();
  }

  WarmUp start() {
    thread.start();
    return this;
  }

  /**
   * Leaves out what has not begun, and waits for the rest. That is not interrupted: a class whose
   * initialization is would be lost to the whole process.
   */
  @Override
  public void close() {
    closed.countDown();
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, options.times().stop().dividedBy(4).toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
      if (!isOver()) {
        long began = System.nanoTime();
        runStep();
        logEnd(Duration.ofNanos(System.nanoTime() - began));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.info("the warm-up failed, so that the first steps take longer: {}", e.toString());
      LOG.debug("the warm-up failed", e);
    }
  }

  private void logEnd(Duration time) {
    if (closed.getCount() > 0) {
      LOG.info("{} is warmed up after {} ms", options.task(), time.toMillis());
    }
  }

  private boolean isOver() {
    return closed.getCount() == 0 || isUsed.getAsBoolean();
  }

  /**
   * A step with what most have: a variable on another task, which a value computed here updates.
   */
  void runStep() {
    Ops tf = Ops.create();
    try {
      Ops here = tf.withDevice(new TaskName(JOB, 0).device("CPU", 0));
      Ops there = tf.withDevice(new TaskName(JOB, 1).device("CPU", 0));
      Variable variable = there.variable("v", there.constant(1f));
      Output fed = here.placeholder(DataType.FLOAT, Shape.scalar());
      Output term = here.mul(fed, here.constant(0.5f));
      Operation update = there.state.assignAddVariableOp(variable.handle(), term);
      onTwoTasks(
          target -> {
            try (Session session = Session.open(target, tf.graph());
                Tensor one = Tensor.scalar(1f)) {
              session.run(variable.initializer());
              try (StepCallable step =
                  session.prepare(List.of(fed), List.of(variable.value()), List.of(update))) {
                step.run(one).close();
              }
            }
          });
    } finally {
      tf.graph().close();
    }
  }

  private interface Client {
    void run(String target);
  }

  private void onTwoTasks(Client client) {
    ClusterSpec cluster = ClusterSpec.of(Map.of(JOB, FreePorts.addresses(2)));
    ChannelSecurity security = ChannelSecurity.none().withToken(JobToken.random());
    if (isOver()) {
      return;
    }
    Task there = start(cluster, 1, security);
    try {
      Task here = start(cluster, 0, security);
      try {
        if (!isOver()) {
          client.run(here.target());
        }
      } finally {
        here.shutdown().run();
      }
    } finally {
      there.shutdown().run();
    }
  }

  private Task start(ClusterSpec cluster, int task, ChannelSecurity security) {
    return Task.start(
        ServerOptions.of(cluster, JOB, task)
            .withSecurity(security)
            .withFastPaths(options.fastPaths()),
        PlainBackend::new,
        TaskLog.silent(new TaskName(JOB, task)));
  }
}
