package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.HeldThreads;
import dev.tributary.testing.LiveTensors;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that end in the middle leave no thread, no open file and no tensor. */
@Timeout(120)
class PipelineEndTest {
  private static final int FILES = 6;
  private static final int LINES = 20_000;
  private static final int WAITING = 10;

  @TempDir private Path folder;
  private final DatasetNodes nodes = new DatasetNodes(STRING);

  @BeforeEach
  void write() throws IOException {
    folder = folder.toRealPath();
    for (int i = 0; i < FILES; i++) {
      Files.writeString(folder.resolve("lines-" + i), ("line of file " + i + "\n").repeat(LINES));
    }
  }

  /** The lines of several files that are read at the same time, without an end. */
  private Output lines() {
    String[] names = new String[FILES];
    for (int i = 0; i < FILES; i++) {
      names[i] = folder.resolve("lines-" + i).toString();
    }
    Output read =
        nodes
            .calling(
                "ParallelInterleaveDatasetV4",
                "f",
                List.of(STRING),
                nodes.slices(Tensor.of(names)),
                List.of(3L, 2L, -1L, -1L, 3L),
                PipelineEndTest::opened)
            .buildOutput();
    Output shuffled = nodes.of("ShuffleDataset", nodes.of("RepeatDataset", read, -1L), 50L, 1L, 2L);
    Output mapped =
        nodes
            .calling(
                "ParallelMapDatasetV2",
                "f",
                List.of(STRING),
                shuffled,
                List.of(4L),
                (f, x) -> List.of(f.identity(x.get(0))))
            .buildOutput();
    return nodes.of("PrefetchDataset", mapped, -1L);
  }

  private static List<Output> opened(Ops body, List<Output> name) {
    return List.of(
        body.scope()
            .operation("TextLineDataset")
            .input(name.get(0))
            .input(body.constant(""))
            .input(body.constant(0L))
            .buildOutput());
  }

  @Test
  void iterator_initialisedAgainInTheMiddle_closesItsFilesWhileTheSessionGoesOn() {
    LiveTensors tensors = LiveTensors.of(Allocator.shared());
    HeldThreads threads = HeldThreads.now();
    Output iterator = nodes.iterator();
    Operation begin = nodes.make(lines(), iterator);
    Operation empty = nodes.make(nodes.slices(Tensor.of("the only one")), iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    try (Session session = Sessions.local(nodes.tf.graph())) {
      for (int pass = 0; pass < 3; pass++) {
        session.run(begin);
        assertThat(session.fetch(next).stringValue()).startsWith("line of file");
        assertThat(HeldThreads.openFiles(folder)).isNotEmpty();

        session.run(empty);

        HeldThreads.requireNoOpenFile(folder);
        assertThat(session.fetch(next).stringValue()).isEqualTo("the only one");
      }
    }
    nodes.tf.graph().close();

    threads.requireNoMore();
    tensors.requireNoMore();
  }

  /** The consumer of the lines waits at a queue that is empty. */
  @Test
  void session_closedWhileTenStepsWait_leavesNoThreadAndNoOpenFile() throws Exception {
    LiveTensors tensors = LiveTensors.of(Allocator.shared());
    HeldThreads threads = HeldThreads.now();
    Output queue =
        nodes
            .tf
            .scope()
            .operation("FIFOQueueV2")
            .attr("component_types", List.of(INT64))
            .buildOutput();
    DatasetNodes numbers = new DatasetNodes(nodes.tf, List.of(INT64));
    Output waiting =
        numbers.calling(
            "MapDataset",
            "f",
            List.of(STRING),
            lines(),
            (f, x) ->
                List.of(
                    f.scope()
                        .operation("QueueDequeueV2")
                        .input(queue)
                        .attr("component_types", List.of(INT64))
                        .build()
                        .output(0)));
    Output iterator = numbers.iterator();
    Operation begin = numbers.make(waiting, iterator);
    Output next = numbers.next("IteratorGetNext", iterator)[0];
    Session session = Sessions.local(nodes.tf.graph());
    session.run(begin);
    ExecutorService clients = Executors.newFixedThreadPool(WAITING);
    List<CompletableFuture<Void>> steps = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      steps.add(
          CompletableFuture.runAsync(
              () -> {
                try (StepResult result = session.runner().fetch(next).run()) {
                  throw new AssertionError("nothing is in the queue, but there is " + result);
                }
              },
              clients));
    }
    Output one = nodes.tf.constant(1L);
    assertThat(session.fetch(one).longValue()).as("a step beside those that wait").isEqualTo(1);

    session.close();

    for (CompletableFuture<Void> step : steps) {
      assertThatThrownBy(() -> step.get(20, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(TributaryException.class);
    }
    clients.shutdown();
    assertThat(clients.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    nodes.tf.graph().close();
    HeldThreads.requireNoOpenFile(folder);
    threads.requireNoMore();
    tensors.requireNoMore();
  }
}
