package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.await;
import static dev.tributary.cluster.internal.worker.TestCluster.code;
import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static dev.tributary.cluster.internal.worker.TestCluster.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a worker promises about the steps it runs, however it is reached. */
abstract class RunGraphContract extends OneWorker {
  @Test
  void runGraph_feedsAndFetches_areExchangedByKey() {
    String graph = cluster.register(0, SESSION, increment());

    assertThat(incremented(SESSION, graph, 1, 41)).isEqualTo(42);
    assertThat(incremented(SESSION, graph, 2, 1)).isEqualTo(2);
  }

  @Test
  void runGraph_unknownHandles_areAborted() {
    String graph = cluster.register(0, SESSION, increment());

    assertThat(failure(GraphCall.runGraph(worker, SESSION, "none", 1).start()))
        .hasMessageContaining("Graph handle is not found: none")
        .matches(e -> e.code() == ErrorCode.ABORTED);
    assertThat(failure(GraphCall.runGraph(worker, "none", graph, 1).start()))
        .hasMessageContaining("Session handle is not found: none")
        .matches(e -> e.code() == ErrorCode.ABORTED);
  }

  @Test
  void runGraph_requestTwice_isAborted() {
    String graph = cluster.register(0, SESSION, graphOfNothing());

    await(GraphCall.runGraph(worker, SESSION, graph, 1).requestId(5).start());

    assertThat(code(GraphCall.runGraph(worker, SESSION, graph, 2).requestId(5).start()))
        .isEqualTo(ErrorCode.ABORTED);
    await(GraphCall.runGraph(worker, SESSION, graph, 3).requestId(0).start());
    await(GraphCall.runGraph(worker, SESSION, graph, 4).requestId(0).start());
  }

  @Test
  void runGraph_keyThatNobodySends_isInvalid() {
    String graph = cluster.register(0, SESSION, graphOfNothing());
    String key = cpu(0).clientKey("nothing:0");

    assertThat(failure(GraphCall.runGraph(worker, SESSION, graph, 1).fetch(key).start()))
        .hasMessageContaining(key)
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void runGraph_malformedFeedKey_isInvalid() {
    String graph = cluster.register(0, SESSION, graphOfNothing());
    try (Tensor value = Tensor.scalar(1L)) {
      assertThat(
              failure(GraphCall.runGraph(worker, SESSION, graph, 1).feed("a;b;c", value).start()))
          .hasMessageContaining("Invalid  rendezvous key: a;b;c")
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void runGraph_malformedFetchKey_isInvalid() {
    String graph = cluster.register(0, SESSION, graphOfNothing());
    String malformed = cpu(1).clientKey("y").replace(":0;", ":0:");

    assertThat(failure(GraphCall.runGraph(worker, SESSION, graph, 1).fetch(malformed).start()))
        .hasMessageContaining("Invalid  rendezvous key: " + malformed)
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void runGraph_deadFetch_isInvalid() {
    Partition partition = cluster.partition(0);
    Output predicate = partition.fed("p", DataType.BOOL);
    Output value = partition.fed("x", DataType.INT64);
    Output ifTrue =
        partition
            .tf
            .scope()
            .operation("TestSwitch")
            .input(value)
            .input(predicate)
            .build()
            .output(1);
    partition.fetched("y", ifTrue);
    String graph = cluster.register(0, SESSION, partition);
    try (Tensor p = Tensor.scalar(false);
        Tensor x = Tensor.scalar(1L)) {
      assertThat(
              failure(
                  GraphCall.runGraph(worker, SESSION, graph, 1)
                      .feed(cpu(0).clientKey("p"), p)
                      .feed(cpu(0).clientKey("x"), x)
                      .fetch(cpu(0).clientKey("y"))
                      .start()))
          .hasMessage("The tensor returned for " + cpu(0).clientKey("y") + " was not valid.")
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void runGraph_feedOfAnotherType_isInternal() {
    String graph = cluster.register(0, SESSION, increment());
    try (Tensor wrong = Tensor.scalar(1f)) {
      assertThat(
              code(
                  GraphCall.runGraph(worker, SESSION, graph, 1)
                      .feed(cpu(0).clientKey("x"), wrong)
                      .fetch(cpu(0).clientKey("y"))
                      .start()))
          .isEqualTo(ErrorCode.INTERNAL);
    }
  }

  @Test
  void runGraph_recorded_tellsTimesAndGraphs() {
    String graph = cluster.register(0, SESSION, increment());
    try (Tensor x = Tensor.scalar(1L)) {
      RunGraphResponse response =
          await(
              GraphCall.runGraph(worker, SESSION, graph, 1)
                  .feed(cpu(0).clientKey("x"), x)
                  .record(new ExecutorOptions(false, true, true))
                  .start());

      assertThat(response.stepStats().getDevStats(0).getDevice()).isEqualTo(cpu(0).device());
      assertThat(response.stepStats().getDevStats(0).getNodeStatsList())
          .extracting(node -> node.getNodeName())
          .contains("recv_x", "send_y");
      assertThat(response.partitionGraphs()).hasSize(1);
    }
    await(worker.cleanupGraph(1, DEFAULTS));
  }

  @Test
  void runGraph_pieceByPiece_keepsTheStepBetweenPieces() {
    Partition partition = cluster.partition(0);
    Output x = partition.fed("x", DataType.INT64);
    partition.fetched("y", partition.op("TestAdd", x, x));
    Output z = partition.fed("z", DataType.INT64);
    partition.fetched("sum", partition.op("TestAdd", x, z));
    String graph = cluster.register(0, SESSION, partition);
    try (Tensor three = Tensor.scalar(3L);
        Tensor ten = Tensor.scalar(10L)) {
      assertThat(
              GraphCall.runGraph(worker, SESSION, graph, 1)
                  .partial(Piece.MORE_TO_COME)
                  .feed(cpu(0).clientKey("x"), three)
                  .fetch(cpu(0).clientKey("y"))
                  .runLong())
          .isEqualTo(6);
      assertThat(
              GraphCall.runGraph(worker, SESSION, graph, 1)
                  .partial(Piece.LAST)
                  .feed(cpu(0).clientKey("z"), ten)
                  .fetch(cpu(0).clientKey("sum"))
                  .runLong())
          .isEqualTo(13);
    }
  }

  @Test
  void runGraph_pieceCancelled_failsTheStepForAllPieces() {
    String graph = cluster.register(0, SESSION, increment());
    Cancellation cancellation = new Cancellation();
    CompletableFuture<RunGraphResponse> first =
        GraphCall.runGraph(worker, SESSION, graph, 1)
            .partial(Piece.MORE_TO_COME)
            .fetch(cpu(0).clientKey("y"))
            .cancelledBy(cancellation)
            .start();
    cluster.awaitSteps(0, 1);

    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "changed my mind"));

    assertThat(code(first)).isEqualTo(ErrorCode.CANCELLED);
    try (Tensor x = Tensor.scalar(1L)) {
      assertThat(
              failure(
                  GraphCall.runGraph(worker, SESSION, graph, 1)
                      .partial(Piece.LAST)
                      .feed(cpu(0).clientKey("x"), x)
                      .start()))
          .matches(TributaryException::derived);
    }
    await(worker.cleanupGraph(1, DEFAULTS));
    assertThat(cluster.worker(0).stepCount()).isZero();
  }

  @Test
  void runGraph_timeOver_isDeadlineExceeded() {
    String graph = cluster.register(0, SESSION, increment());

    assertThat(
            code(
                GraphCall.runGraph(worker, SESSION, graph, 1)
                    .within(Duration.ofMillis(20))
                    .start()))
        .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
  }
}
