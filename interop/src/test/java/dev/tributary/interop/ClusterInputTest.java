package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.BatchOptions;
import dev.tributary.train.queue.Batching;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.queue.QueueRunner;
import dev.tributary.train.variable.Variables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Input queues on tasks of a cluster, filled by queue runners of one client. */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterInputTest {
  private static final int NUMBERS = 30;
  private static final int EPOCHS = 2;
  private static final Set<ErrorCode> PREEMPTED =
      EnumSet.of(ErrorCode.UNAVAILABLE, ErrorCode.ABORTED);

  private final Ops tf = Ops.create();
  private final Coordinator coordinator = new Coordinator();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @ParameterizedTest
  @EnumSource
  void pipeline_overSeveralTasks_givesEachElementOnceAnEpoch(Mix mix) throws Exception {
    Output batch = pipeline(ProducerOptions.defaults().withEpochs(EPOCHS), "of " + mix);
    List<Integer> got = new ArrayList<>();
    try (Session session = Clusters.of(mix).target(Task.WORKER_0).open(tf.graph())) {
      session.run(Variables.localInitializer(tf));
      QueueRunner.startQueueRunners(session, coordinator);
      TributaryException end =
          catchThrowableOfType(
              TributaryException.class,
              () -> {
                while (true) {
                  take(session, batch, got);
                }
              });
      assertThat(end.code()).as("%s", end).isEqualTo(ErrorCode.OUT_OF_RANGE);
      coordinator.requestStop();
      coordinator.join();
    }

    assertThat(got)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, EPOCHS * NUMBERS).map(i -> i / EPOCHS).boxed().toList());
  }

  @Test
  void pipeline_taskOfItsQueueDies_endsWithItsErrorInTime() throws Exception {
    Output batch = pipeline(ProducerOptions.defaults(), "that dies");
    try (TestCluster cluster = Mix.ALL_OURS.start();
        Session session = cluster.target(Task.WORKER_0).open(tf.graph())) {
      QueueRunner.startQueueRunners(session, coordinator);
      take(session, batch, new ArrayList<>());
      cluster.kill(Task.PS);

      TributaryException failure =
          catchThrowableOfType(
              TributaryException.class,
              () -> coordinator.join(Collections.emptyList(), Duration.ofSeconds(60)));
      assertThat(failure).as("what ended the queue runners").isNotNull();
      assertThat(failure.code()).as("%s", failure).isIn(PREEMPTED);
    }
  }

  /** Numbers come from a queue on the ps, batches from one on worker 1. */
  private Output pipeline(ProducerOptions options, String name) {
    Ops ps = tf.withDevice(Task.PS.device());
    Ops worker = tf.withDevice(Task.WORKER_1.device());
    Queue numbers =
        InputProducers.rangeInputProducer(
            ps, ps.constant(NUMBERS), options.withSharedName("numbers " + name));
    Output number = numbers.in(worker).dequeue().get(0);
    return Batching.batch(
            worker,
            List.of(number),
            BatchOptions.of(4)
                .withThreads(3)
                .withSmallerFinalBatch()
                .withSharedName("batches " + name))
        .get(0);
  }

  private static void take(Session session, Output batch, List<Integer> into) {
    try (StepResult result = session.runner().fetch(batch).run()) {
      IntStream.of(result.get(0).toInts()).forEach(into::add);
    }
  }
}
