package dev.tributary.train.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Producers, batches and queue runners together, in one session. */
@NoLeaks
@Timeout(60)
class InputPipelineTest {
  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());
  private final Coordinator coordinator = new Coordinator();

  @AfterEach
  void close() {
    coordinator.requestStop();
    coordinator.join();
    session.close();
    tf.graph().close();
  }

  @Test
  void stringInputProducer_twoEpochsInOrder_givesEachStringTwice() {
    Queue names =
        InputProducers.stringInputProducer(
            tf, List.of("a", "b", "c"), ProducerOptions.defaults().withoutShuffle().withEpochs(2));

    assertThat(untilEnd(names.dequeue().get(0), Tensor::stringValue))
        .containsExactly("a", "b", "c", "a", "b", "c");
  }

  @Test
  void rangeInputProducer_shuffledEpochs_haveAllNumbersEach() {
    Queue numbers =
        InputProducers.rangeInputProducer(
            tf, tf.constant(20), ProducerOptions.defaults().withEpochs(2).withSeed(3));
    List<Integer> got = untilEnd(numbers.dequeue().get(0), Tensor::intValue);

    assertThat(got).hasSize(40);
    assertThat(got.subList(0, 20)).isNotEqualTo(range(20)).isNotEqualTo(got.subList(20, 40));
    assertThat(got.subList(0, 20)).containsExactlyInAnyOrderElementsOf(range(20));
    assertThat(got.subList(20, 40)).containsExactlyInAnyOrderElementsOf(range(20));
  }

  @Test
  void sliceInputProducer_twoTensors_givesRowsOfTheSamePlace() {
    Output images = tf.constant(Shape.of(3, 2), 0f, 0.5f, 1f, 1.5f, 2f, 2.5f);
    Output labels = tf.constant(0, 1, 2);
    List<Output> slice =
        InputProducers.sliceInputProducer(
            tf, List.of(images, labels), ProducerOptions.defaults().withEpochs(1));
    assertThat(slice).extracting(Output::shape).containsExactly(Shape.of(2), Shape.scalar());
    start();

    for (int i = 0; i < 3; i++) {
      try (StepResult row = session.runner().fetch(slice).run()) {
        int label = row.get(1).intValue();
        assertThat(row.get(0).toFloats()).containsExactly(label, label + 0.5f);
      }
    }
  }

  @Test
  void batch_unevenInput_leavesTheRestOut() {
    Output batch = batch(BatchOptions.of(3));

    assertThat(batch.shape()).isEqualTo(Shape.of(3));
    assertThat(untilEnd(batch, Tensor::toInts))
        .containsExactly(new int[] {0, 1, 2}, new int[] {3, 4, 5}, new int[] {6, 7, 8});
  }

  @Test
  void batch_withSmallerFinalBatch_givesTheRest() {
    assertThat(untilEnd(batch(BatchOptions.of(4).withSmallerFinalBatch()), Tensor::toInts))
        .containsExactly(new int[] {0, 1, 2, 3}, new int[] {4, 5, 6, 7}, new int[] {8, 9});
  }

  @Test
  void batch_manyThreads_losesNothing() {
    Output batch = batch(BatchOptions.of(2).withThreads(4).withCapacity(3));

    assertThat(numbersUntilEnd(batch)).containsExactlyInAnyOrderElementsOf(range(10));
  }

  @Test
  void batch_enqueueMany_cutsOtherBatches() {
    Output rows = producer().dequeueMany(5).get(0);
    Output batch = Batching.batch(tf, List.of(rows), BatchOptions.of(2).withEnqueueMany()).get(0);

    assertThat(untilEnd(batch, Tensor::toInts)).hasSize(5);
  }

  @Test
  void batch_dynamicPad_fillsUp() {
    Output n = producer().dequeue().get(0);
    Output ones = tf.fill(tf.reshape(n, 1), tf.constant(1));
    Output batch = Batching.batch(tf, List.of(ones), BatchOptions.of(2).withDynamicPad()).get(0);

    List<int[]> got = untilEnd(batch, Tensor::toInts);
    assertThat(got.get(1)).containsExactly(1, 1, 0, 1, 1, 1);
  }

  @Test
  void shuffleBatch_oneEpoch_givesAllInAnotherOrder() {
    Output n = producer().dequeue().get(0);
    Output batch =
        Batching.shuffleBatch(tf, List.of(n), 5, 7L, BatchOptions.of(3).withSmallerFinalBatch())
            .get(0);
    List<Integer> got = numbersUntilEnd(batch);

    assertThat(got).containsExactlyInAnyOrderElementsOf(range(10)).isNotEqualTo(range(10));
  }

  @Test
  void batch_unknownElementShape_isRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));

    assertThatThrownBy(() -> Batching.batch(tf, List.of(x), BatchOptions.of(2)))
        .hasMessageContainingAll(x.name(), "[?]");
  }

  @Test
  void queueRunner_failingEnqueue_endsAllWithItsError() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(5, DataType.FLOAT).withShapes(Shape.of(2)));
    QueueRunner.of(queue, List.of(queue.enqueue(tf.constant(1f)))).addTo(tf.graph());
    Output next = queue.dequeue().get(0);
    Coordinator own = new Coordinator();
    QueueRunner.startQueueRunners(session, own);

    assertThatThrownBy(own::join).hasMessageContaining("Shape mismatch");
    assertThatThrownBy(() -> session.runner().fetch(next).run())
        .satisfies(
            e -> assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.OUT_OF_RANGE));
  }

  @Test
  void queueRunner_stopWhileEnqueuesWait_endsItsThreads() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(2, DataType.FLOAT));
    QueueRunner runner =
        QueueRunner.of(queue, List.of(queue.enqueue(tf.constant(1f)))).addTo(tf.graph());
    Coordinator own = new Coordinator(Set.of(ErrorCode.CANCELLED));
    List<Thread> threads = runner.startThreads(session, own);

    assertThat(threads).hasSize(1);
    assertThat(runner.startThreads(session, own)).as("while they run").isEmpty();
    own.requestStop();
    own.join();
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  private Queue producer() {
    return InputProducers.rangeInputProducer(
        tf, tf.constant(10), ProducerOptions.defaults().withoutShuffle().withEpochs(1));
  }

  private Output batch(BatchOptions options) {
    return Batching.batch(tf, List.of(producer().dequeue().get(0)), options).get(0);
  }

  private void start() {
    session.run(Variables.localInitializer(tf));
    QueueRunner.startQueueRunners(session, coordinator);
  }

  /** Starts the runners and fetches until the input ends. */
  private <T> List<T> untilEnd(Output output, Function<Tensor, T> value) {
    start();
    List<T> got = new ArrayList<>();
    while (true) {
      try (StepResult result = session.runner().fetch(output).run()) {
        got.add(value.apply(result.get(0)));
      } catch (TributaryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        return got;
      }
    }
  }

  private List<Integer> numbersUntilEnd(Output batch) {
    return untilEnd(batch, Tensor::toInts).stream()
        .flatMap(numbers -> IntStream.of(numbers).boxed())
        .toList();
  }

  private static List<Integer> range(int limit) {
    return IntStream.range(0, limit).boxed().toList();
  }
}
