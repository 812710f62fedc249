package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pass that is counted and timed, around the pass itself. Reading the clock for each element
 * would cost more than some stages do: while answers come at once, one request of several is timed
 * for all of them. Used by whoever has a request open; the counts may be read meanwhile.
 */
final class MeasuredIterator implements ElementIterator, ElementReceiver {
  /** Requests that one stands for while answers are quick. */
  private static final int TIMED_TOGETHER = 32;

  private static final long QUICK_NANOS = 5_000;

  private final ElementIterator pass;
  private final StageCounters counters;
  private final AtomicLong elements = new AtomicLong();
  private final AtomicLong producing = new AtomicLong();
  private final AtomicLong idle = new AtomicLong();
  private ElementReceiver consumer;
  private int weight = 1;
  private int untimed;
  private boolean isTimed;
  private long asked;
  private long answered;

  MeasuredIterator(ElementIterator pass, StageCounters counters) {
    this.pass = pass;
    this.counters = counters;
    counters.begins(this);
  }

  @Override
  public void next(ElementReceiver receiver) {
    consumer = receiver;
    isTimed = ++untimed >= weight;
    if (isTimed || answered != 0) {
      asked = System.nanoTime();
      if (answered != 0) {
        add(idle, (asked - answered) * weight);
        answered = 0;
      }
    }
    pass.next(this);
  }

  @Override
  public void element(Tensor[] components) {
    add(elements, 1);
    stop();
    consumer.element(components);
  }

  @Override
  public void end() {
    stop();
    consumer.end();
  }

  @Override
  public void failure(RuntimeException failure) {
    stop();
    consumer.failure(failure);
  }

  private void stop() {
    if (isTimed) {
      answered = System.nanoTime();
      long took = answered - asked;
      add(producing, took * untimed);
      untimed = 0;
      weight = took < QUICK_NANOS ? TIMED_TOGETHER : 1;
    }
  }

  /** Only one thread at a time adds. */
  private static void add(AtomicLong sum, long more) {
    sum.setOpaque(sum.getPlain() + more);
  }

  long elements() {
    return elements.getOpaque();
  }

  long producingNanos() {
    return producing.getOpaque();
  }

  long idleNanos() {
    return idle.getOpaque();
  }

  @Override
  public void save(StateWriter writer) {
    writer.text(counters.op());
    pass.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    reader.expect(counters.op());
    pass.restore(reader);
  }

  @Override
  public long buffered() {
    return pass.buffered();
  }

  @Override
  public long capacity() {
    return pass.capacity();
  }

  @Override
  public void close() {
    counters.ends(this);
    pass.close();
  }
}
