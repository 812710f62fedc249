package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.DEFAULTS;
import static dev.tributary.cluster.internal.master.TestClient.await;
import static dev.tributary.cluster.internal.master.TestClient.code;
import static dev.tributary.cluster.internal.master.TestClient.failure;
import static dev.tributary.cluster.internal.master.TestClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.RunOptions;

/** What a master promises about steps, however it is reached. */
abstract class MasterStepsContract extends MasterFixture {
  @Test
  void runStep_variableOnAnotherTask_isSharedBySessions() {
    counter();
    MasterInterface other = connect(1);
    try (TestClient first = open();
        TestClient second = TestClient.open(other, tf.graph())) {
      first.run("counter/Assign");
      assertThat(first.fetch("value")).isEqualTo(0);
      assertThat(second.fetch("value")).isEqualTo(0);

      second.run("increment");

      assertThat(first.fetch("value:0")).isEqualTo(1);
      assertThat(second.fetch("value:0")).isEqualTo(1);
    }
  }

  @Test
  void runStep_feedsAndFetches_comeUnderTheClientsNames() {
    sum();
    try (TestClient client = open();
        Tensor two = Tensor.scalar(2f);
        Tensor three = Tensor.scalar(3f)) {
      RunStepResponse response =
          await(
              client.step(
                  Map.of("a:0", two, "b", three), List.of("sum", "sum:0", "a2:0"), List.of()));

      assertThat(numbers(response))
          .containsOnly(Map.entry("sum", 5.0), Map.entry("sum:0", 5.0), Map.entry("a2:0", 4.0));
    }
  }

  @Test
  void runStep_badRequests_getTheirCodesAndTheSessionGoesOn() {
    sum();
    tf.withName("nothing").noOp();
    try (TestClient client = open();
        Tensor one = Tensor.scalar(1f);
        Tensor text = Tensor.scalar("x")) {
      Map<String, Tensor> both = Map.of("a:0", one, "b:0", one);
      assertThat(code(client.step(Map.of("a", one, "a:0", one), List.of("sum"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(Map.of("sum:0", one), List.of("sum:0"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(both, List.of(), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(both, List.of("none:0"), List.of())))
          .isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(code(client.step(Map.of("none:0", one), List.of("sum:0"), List.of())))
          .isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(code(client.step(both, List.of(), List.of("none"))))
          .isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(code(client.step(both, List.of("sum:1"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(both, List.of("nothing:0"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(both, List.of("sum:x"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(both, List.of("^sum"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.step(Map.of("a:0", text, "b:0", one), List.of("sum:0"), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);

      assertThat(client.fetch("sum:0", both)).isEqualTo(2);
    }
  }

  @Test
  void runStep_feedNamedTwice_isInvalid() {
    sum();
    try (TestClient client = open();
        Tensor one = Tensor.scalar(1f)) {
      RunStepRequest twice =
          new RunStepRequest(
              client.handle,
              List.of(new NamedTensor("a:0", one), new NamedTensor("a:0", one)),
              List.of("a2:0"),
              List.of(),
              RunOptions.getDefaultInstance(),
              "",
              0);

      assertThat(code(master.runStep(twice, DEFAULTS))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void runStep_sameRequestId_isAborted() {
    counter();
    try (TestClient client = open()) {
      RunStepRequest request =
          new RunStepRequest(
              client.handle,
              List.of(),
              List.of(),
              List.of("counter/Assign"),
              RunOptions.getDefaultInstance(),
              "",
              77);
      await(master.runStep(request, DEFAULTS));

      assertThat(failure(master.runStep(request, DEFAULTS)))
          .hasMessageContaining("same RunStep request was received twice")
          .matches(e -> e.code() == ErrorCode.ABORTED);
    }
  }

  @Test
  void runStep_kernelFailure_namesTaskAndKeepsItsCode() {
    counter();
    try (TestClient client = open()) {
      assertThat(failure(client.step(Map.of(), List.of("value:0"), List.of())))
          .hasMessageStartingWith("From /job:ps/replica:0/task:0:\n")
          .hasMessageContaining("uninitialized")
          .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION);

      client.run("counter/Assign");
      assertThat(client.fetch("value:0")).isEqualTo(0);
    }
  }

  @Test
  void runStep_timeIsOver_endsWithItsDeadline() throws InterruptedException {
    waiting();
    try (TestClient client = open()) {
      RunOptions soon = RunOptions.newBuilder().setTimeoutInMs(100).build();

      assertThat(code(client.step(Map.of(), List.of("wait"), List.of(), soon, new Cancellation())))
          .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void runStep_clientCancels_isCancelledOnTheWorkers() throws InterruptedException {
    waiting();
    try (TestClient client = open()) {
      Cancellation cancellation = new Cancellation();
      CompletableFuture<RunStepResponse> step =
          client.step(
              Map.of(), List.of("wait"), List.of(), RunOptions.getDefaultInstance(), cancellation);
      cluster.tiny.gate.next();

      cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "the client is gone"));

      assertThat(code(step)).isEqualTo(ErrorCode.CANCELLED);
    }
  }

  @Test
  void runStep_traced_givesStatsOfAllTasksAndTheirGraphs() {
    counter();
    try (TestClient client = open()) {
      client.run("counter/Assign");
      RunOptions traced =
          RunOptions.newBuilder()
              .setTraceLevel(RunOptions.TraceLevel.FULL_TRACE)
              .setOutputPartitionGraphs(true)
              .build();
      RunStepResponse response =
          await(client.step(Map.of(), List.of("value"), List.of(), traced, new Cancellation()));

      assertThat(numbers(response)).containsEntry("value", 0.0);
      assertThat(response.metadata().getStepStats().getDevStatsList())
          .extracting(stats -> stats.getDevice())
          .contains(
              "/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:1/device:CPU:0");
      assertThat(response.metadata().getPartitionGraphsCount()).isGreaterThanOrEqualTo(3);
    }
  }
}
