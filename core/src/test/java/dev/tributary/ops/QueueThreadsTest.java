package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads at one small queue: every element comes out once, and all end when it is closed. */
@NoLeaks
@Timeout(120)
class QueueThreadsTest {
  private static final int PRODUCERS = 4;
  private static final int CONSUMERS = 5;
  private static final int ELEMENTS = 600;

  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());
  private final ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + CONSUMERS);

  @AfterEach
  void close() {
    threads.shutdownNow();
    session.close();
    tf.graph().close();
  }

  @Test
  void fifoQueue_singleElements_comeOutOnce() throws Exception {
    Queue queue = tf.queues.fifoQueue(options());

    assertThat(throughQueue(queue, queue.dequeue().get(0))).containsExactlyElementsOf(all());
  }

  @Test
  void fifoQueue_batches_comeOutOnce() throws Exception {
    Queue queue = tf.queues.fifoQueue(options());

    assertThat(throughQueue(queue, queue.dequeueUpTo(5).get(0))).containsExactlyElementsOf(all());
  }

  @Test
  void randomShuffleQueue_batches_comeOutOnce() throws Exception {
    Queue queue = tf.queues.randomShuffleQueue(options(), 2, 1L);

    assertThat(throughQueue(queue, queue.dequeueUpTo(5).get(0))).containsExactlyElementsOf(all());
  }

  @Test
  void priorityQueue_singleElements_comeOutOnce() throws Exception {
    Queue queue =
        tf.queues.priorityQueue(QueueOptions.of(3, DataType.INT32).withShapes(Shape.scalar()));
    Output x = tf.placeholder(DataType.INT32, Shape.scalar());
    Operation enqueue = queue.enqueue(tf.cast(x, DataType.INT64), x);
    Output next = queue.dequeue().get(1);

    assertThat(throughQueue(queue, x, enqueue, seed -> consume(next)))
        .containsExactlyElementsOf(all());
  }

  @Test
  void dequeueMany_stepsCancelledAtRandom_giveNoElementTwiceAndEnd() throws Exception {
    Queue queue = tf.queues.fifoQueue(options());
    Output x = tf.placeholder(DataType.INT32, Shape.scalar());
    Operation enqueue = queue.enqueue(x);
    Output batch = queue.dequeueMany(4).get(0);

    assertThat(throughQueue(queue, x, enqueue, seed -> consumeAndCancel(batch, seed)))
        .doesNotHaveDuplicates()
        .isNotEmpty()
        .isSubsetOf(all());
  }

  /** Cancels every third step or so, at a moment that nobody knows. */
  private List<Integer> consumeAndCancel(Output batch, int seed) {
    Random random = new Random(seed);
    List<Integer> got = new ArrayList<>();
    while (true) {
      try (RunningStep step = session.runner().fetch(batch).start()) {
        for (int spins = random.nextInt(300); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        if (random.nextInt(3) == 0) {
          step.cancel();
        }
        try (StepResult result = step.await()) {
          IntStream.of(result.get(0).toInts()).forEach(got::add);
        }
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
          return got;
        }
      }
    }
  }

  private static QueueOptions options() {
    return QueueOptions.of(3, DataType.INT32).withShapes(Shape.scalar());
  }

  private static List<Integer> all() {
    return IntStream.range(0, PRODUCERS * ELEMENTS).boxed().toList();
  }

  private List<Integer> throughQueue(Queue queue, Output next) throws Exception {
    Output x = tf.placeholder(DataType.INT32, Shape.scalar());
    return throughQueue(queue, x, queue.enqueue(x), seed -> consume(next));
  }

  /** What all consumers got together, sorted. */
  private List<Integer> throughQueue(
      Queue queue, Output x, Operation enqueue, IntFunction<List<Integer>> consumer)
      throws Exception {
    List<Future<List<Integer>>> consumers = new ArrayList<>();
    for (int i = 0; i < CONSUMERS; i++) {
      int seed = i;
      consumers.add(threads.submit(() -> consumer.apply(seed)));
    }
    List<Future<Void>> producers = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      int first = i * ELEMENTS;
      Callable<Void> producer = () -> produce(x, enqueue, first);
      producers.add(threads.submit(producer));
    }
    for (Future<Void> producer : producers) {
      producer.get(100, TimeUnit.SECONDS);
    }
    session.run(queue.close());
    List<Integer> got = new ArrayList<>();
    for (Future<List<Integer>> consumed : consumers) {
      got.addAll(consumed.get(100, TimeUnit.SECONDS));
    }
    return got.stream().sorted().toList();
  }

  private Void produce(Output x, Operation enqueue, int first) {
    for (int i = first; i < first + ELEMENTS; i++) {
      try (Tensor value = Tensor.scalar(i)) {
        session.runner().feed(x, value).target(enqueue).run().close();
      }
    }
    return null;
  }

  private List<Integer> consume(Output next) {
    List<Integer> got = new ArrayList<>();
    while (true) {
      try (StepResult result = session.runner().fetch(next).run()) {
        for (int value : result.get(0).toInts()) {
          got.add(value);
        }
      } catch (TributaryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        return got;
      }
    }
  }
}
