package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.await;
import static dev.tributary.cluster.internal.master.TestClient.code;
import static dev.tributary.cluster.internal.master.TestClient.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.RunOptions;

/** Tasks that are late, fail, restart or fall silent: a call ends, and the next session works. */
@NoLeaks
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MasterFaultsTest {
  private static final TaskName PS = new TaskName("ps", 0);
  private static final MasterOptions SHORT_LIMITS =
      MasterOptions.defaults()
          .withSessionCreationTimeout(Duration.ofSeconds(1))
          .withCallTimeout(Duration.ofMillis(300))
          .withFailureGrace(Duration.ofMillis(300))
          .withCloseTimeout(Duration.ofMillis(300));

  private MasterCluster cluster;
  private Ops tf;
  private Ops ps;
  private Master master;

  @BeforeEach
  void start() {
    cluster = new MasterCluster(Map.of("ps", 1, "worker", 2), 1);
    tf = new Ops(cluster.tiny.graph().scope());
    ps = tf.withDevice("/job:ps/task:0");
    master = cluster.master("worker", 0, SHORT_LIMITS, ConfigProto.getDefaultInstance());
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(FaultyWire.Fault.class)
  void program_anyOneCallGoesWrong_endsAndTheNextOneWorks(FaultyWire.Fault fault) {
    counter();
    int number = 0;
    FaultyWire wire;
    do {
      wire = new FaultyWire(fault, ++number);
      cluster.wire(wire);
      program();
      cluster.wire(Wire.good());
      assertThat(program()).as("after call %d was %s", number, fault).isNull();
    } while (wire.happened());

    assertThat(number).isGreaterThan(15);
  }

  @Test
  void createSession_lateTask_isWaitedFor() {
    counter();
    CompletableFuture<Void> up = new CompletableFuture<>();
    cluster.wire(statusOf(PS, up));
    Master patient = cluster.master("worker", 0);
    CompletableFuture<String> created =
        TestClient.create(patient, GraphDefs.toProto(tf.graph()), ConfigProto.getDefaultInstance());
    assertThat(created).isNotDone();

    up.complete(null);

    assertThat(await(created)).matches("[0-9a-f]{16}");
  }

  @Test
  void createSession_taskThatNeverComes_isNamedInTheEnd() {
    cluster.wire(statusOf(PS, new CompletableFuture<>()));

    assertThat(
            failure(
                TestClient.create(
                    master, GraphDef.getDefaultInstance(), ConfigProto.getDefaultInstance())))
        .hasMessageContaining("[/job:ps/replica:0/task:0 (last heard from never)]")
        .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED);
  }

  @Test
  void createSession_missingTaskFilteredOut_isNotWaitedFor() {
    cluster.wire(statusOf(PS, new CompletableFuture<>()));
    tf.withName("three").constant(3f);
    ConfigProto filtered = ConfigProto.newBuilder().addDeviceFilters("/job:worker").build();

    try (TestClient client = TestClient.open(master, GraphDefs.toProto(tf.graph()), filtered)) {
      assertThat(client.fetch("three")).isEqualTo(3);
    }
  }

  @Test
  void runStep_taskDies_isUnavailableAndNamesIt() throws InterruptedException {
    waiting();
    MortalWire wire = new MortalWire();
    cluster.wire(wire);
    try (TestClient client = TestClient.open(master, tf.graph())) {
      CompletableFuture<RunStepResponse> step = client.step(Map.of(), List.of("far"), List.of());
      cluster.tiny.gate.next();

      wire.kill(PS);

      assertThat(failure(step))
          .hasMessageContaining("/job:ps/replica:0/task:0")
          .matches(e -> e.code() == ErrorCode.UNAVAILABLE);
      cluster.start(PS, 1);
      wire.revive(PS);
      assertThat(code(client.step(Map.of(), List.of("far"), List.of())))
          .isEqualTo(ErrorCode.ABORTED);
    }
    counter();
    assertThat(program()).isNull();
  }

  @Test
  void runStep_oneTaskFails_endsTheOthersWithItsError() throws InterruptedException {
    waiting();
    Output text = ps.constant(new String[] {"no number"});
    ps.withName("fails").strings.stringToNumber(text, DataType.FLOAT);
    try (TestClient client = TestClient.open(master, tf.graph())) {
      TributaryException failure =
          failure(client.step(Map.of(), List.of("near", "fails"), List.of()));

      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(failure).hasMessageStartingWith("From /job:ps/replica:0/task:0:\n");
    }
  }

  /** Runs a small program with a variable on another task; gives how it failed, if it did. */
  private TributaryException program() {
    RunOptions limited = RunOptions.newBuilder().setTimeoutInMs(2_000).build();
    String session = null;
    try {
      session =
          await(
              TestClient.create(
                  master, GraphDefs.toProto(tf.graph()), ConfigProto.getDefaultInstance()));
      TestClient client = TestClient.attach(master, session);
      for (String target : List.of("counter/Assign", "increment")) {
        await(client.step(Map.of(), List.of(), List.of(target), limited, new Cancellation()));
      }
      assertThat(
              TestClient.numbers(
                  await(
                      client.step(
                          Map.of(), List.of("value"), List.of(), limited, new Cancellation()))))
          .containsEntry("value", 1.0);
      return null;
    } catch (TributaryException e) {
      return e;
    } finally {
      if (session != null) {
        await(master.closeSession(session, CallOptions.defaults()));
      }
    }
  }

  private void counter() {
    Variable counter = ps.state.variable("counter", ps.constant(0f));
    Ops worker = tf.withDevice("/job:worker/task:1");
    worker.withName("value").identity(counter.value());
    ps.withName("increment").state.assignAddVariableOp(counter.handle(), worker.constant(1f));
  }

  /** Nodes that wait, one on ps and one on a worker. */
  private void waiting() {
    Output one = tf.constant(1L);
    for (Map.Entry<String, String> node :
        Map.of("far", "/job:ps/task:0", "near", "/job:worker/task:1").entrySet()) {
      tf.scope()
          .withDevice(node.getValue())
          .withName(node.getKey())
          .operation("TestWait")
          .input(one)
          .build();
    }
  }

  /** A wire that holds the status of a task back. */
  private static Wire statusOf(TaskName task, CompletableFuture<Void> up) {
    return new Wire() {
      @Override
      public <T> CompletableFuture<T> call(
          TaskName to, String method, CallOptions options, Supplier<CompletableFuture<T>> call) {
        return to.equals(task) && method.equals("GetStatus")
            ? up.thenCompose(now -> call.get())
            : call.get();
      }
    };
  }

  /** A wire on which a task can die, and everything that is asked of it with it. */
  private static final class MortalWire implements Wire {
    private final List<CompletableFuture<?>> open = new ArrayList<>();
    private TaskName dead = new TaskName("nobody", 0);

    synchronized void kill(TaskName task) {
      dead = task;
      open.forEach(call -> call.completeExceptionally(unavailable(task)));
    }

    synchronized void revive(TaskName task) {
      dead = new TaskName("nobody", 0);
    }

    @Override
    public synchronized <T> CompletableFuture<T> call(
        TaskName to, String method, CallOptions options, Supplier<CompletableFuture<T>> call) {
      if (to.equals(dead)) {
        return CompletableFuture.failedFuture(unavailable(to));
      }
      CompletableFuture<T> answer = call.get().copy();
      if (to.equals(PS)) {
        open.add(answer);
      }
      return answer;
    }

    private static TributaryException unavailable(TaskName task) {
      return new TributaryException(ErrorCode.UNAVAILABLE, "connection to " + task + " is lost");
    }
  }
}
