package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Runs small steps over the wire, one after the other, and notes how long each takes. */
final class GoodClient implements AutoCloseable {
  private final long memoryBefore = Allocator.shared().stats().liveBytes();
  private final Ops tf = Ops.create();
  private final Output x = tf.placeholder(DataType.FLOAT, Shape.of(3));
  private final Output y = tf.sum(x);
  private final CountDownLatch begun = new CountDownLatch(100);
  private final AtomicLong steps = new AtomicLong();
  private final Thread thread;
  private volatile boolean stopping;
  private volatile Optional<Throwable> failure = Optional.empty();
  private volatile long worstNanos;
  private volatile long mostMemory;

  private GoodClient(String target) {
    thread = new Thread(() -> work(target), "good-client");
  }

  /** Returns when the client is at work, and its first steps are over. */
  static GoodClient start(String target) throws InterruptedException {
    GoodClient client = new GoodClient(target);
    client.thread.start();
    assertThat(client.begun.await(60, TimeUnit.SECONDS)).as("%s", client.failure).isTrue();
    return client;
  }

  Duration worst() {
    return Duration.ofNanos(worstNanos);
  }

  /** Beyond what there was before, at any time. */
  long mostMemory() {
    return mostMemory;
  }

  long steps() {
    return steps.get();
  }

  /** No step has failed or taken longer. */
  void requireWorst(Duration limit) {
    assertThat(failure).isEmpty();
    assertThat(worst()).as("the longest step").isLessThan(limit);
  }

  private void work(String target) {
    SessionOptions overTheWire =
        SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());
    try (Session session = Session.open(target, tf.graph(), overTheWire);
        Tensor value = Tensor.of(1f, 2f, 3f)) {
      while (!stopping) {
        long start = System.nanoTime();
        try (StepResult result = session.runner().feed(x, value).fetch(y).run()) {
          assertThat(result.get(0).floatValue()).isEqualTo(6f);
        }
        long end = System.nanoTime();
        if (begun.getCount() == 0) {
          worstNanos = Math.max(worstNanos, end - start);
        }
        begun.countDown();
        steps.incrementAndGet();
        mostMemory = Math.max(mostMemory, Allocator.shared().stats().liveBytes() - memoryBefore);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // It is no attack.
      }
    } catch (RuntimeException | AssertionError e) {
      failure = Optional.of(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join(TimeUnit.SECONDS.toMillis(60));
    tf.graph().close();
    assertThat(thread.isAlive()).isFalse();
  }
}
