package dev.tributary.cluster.server;

import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import dev.tributary.testing.NoLeaks;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.ConfigProto;

/** Sessions of one server share its threads, whatever the others do. */
@NoLeaks
@Timeout(120)
@Tag("slow")
class FairStepsTest {
  private static final int THREADS = 2;
  private static final SessionOptions OVER_THE_WIRE =
      SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void step_besideSessionsWithEndlessLoops_endsSoon(boolean ofFunctions) throws Exception {
    Graph greedy = ofFunctions ? FunctionGraphs.endlessWhile("w", "x") : endlessLoop();
    String endless = ofFunctions ? "w:0" : "endless:0";
    Ops modest = Ops.create();
    Output sum = modest.add(modest.constant(1f), modest.constant(2f));
    List<RunningStep> loops = new ArrayList<>();
    try (Server server = start();
        Session first = Session.open(server.target(), greedy, OVER_THE_WIRE);
        Session second = Session.open(server.target(), greedy, OVER_THE_WIRE)) {
      for (int i = 0; i < 10; i++) {
        loops.add(first.runner().fetch(endless).start());
        loops.add(second.runner().fetch(endless).start());
      }

      // Sessions can be opened, too, which takes a few steps.
      try (Session third =
          CompletableFuture.supplyAsync(
                  () -> Session.open(server.target(), modest.graph(), OVER_THE_WIRE))
              .get(10, TimeUnit.SECONDS)) {
        assertThat(run(third, sum).get(5, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(run(third, sum).get(2, TimeUnit.SECONDS)).isEqualTo(3);
      }

      long start = System.nanoTime();
      loops.forEach(RunningStep::cancel);
      for (RunningStep loop : loops) {
        assertThatThrownBy(loop::await).hasMessageContaining("cancel");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    } finally {
      greedy.close();
      modest.graph().close();
    }
  }

  /** The target of the call is fed, so that the call is a step inside the step. */
  @Test
  void step_besideEndlessFunctions_endsSoon() throws Exception {
    Graph greedy =
        FunctionGraphs.graph(
            placeholder("x", "float"), FunctionGraphs.endlessCall("r", "where", "x"));
    Ops modest = Ops.create();
    Output sum = modest.add(modest.constant(1f), modest.constant(2f));
    List<RunningStep> calls = new ArrayList<>();
    try (Server server = start();
        Session first = Session.open(server.target(), greedy, OVER_THE_WIRE);
        Session second = Session.open(server.target(), modest.graph(), OVER_THE_WIRE);
        Tensor target = Tensor.scalar("/device:CPU:0");
        Tensor x = Tensor.scalar(1f)) {
      for (int i = 0; i < 4 * THREADS; i++) {
        calls.add(first.runner().feed("where:0", target).feed("x:0", x).fetch("r:0").start());
      }

      assertThat(run(second, sum).get(5, TimeUnit.SECONDS)).isEqualTo(3);
      assertThat(run(second, sum).get(2, TimeUnit.SECONDS)).isEqualTo(3);

      calls.forEach(RunningStep::cancel);
      for (RunningStep call : calls) {
        assertThatThrownBy(call::await).hasMessageContaining("cancel");
      }
    } finally {
      greedy.close();
      modest.graph().close();
    }
  }

  @Test
  void steps_besideLargeGraphs_areMade() throws Exception {
    Ops large = Ops.create();
    for (int i = 0; i < 80_000; i++) {
      large.noOp();
    }
    Ops modest = Ops.create();
    Output sum = modest.add(modest.constant(1f), modest.constant(2f));
    try (Server server = start();
        Session session = Session.open(server.target(), modest.graph(), OVER_THE_WIRE)) {
      run(session, sum).get(10, TimeUnit.SECONDS);
      CompletableFuture<?>[] openings = new CompletableFuture<?>[4];
      for (int i = 0; i < openings.length; i++) {
        openings[i] =
            CompletableFuture.runAsync(
                () -> Session.open(server.target(), large.graph(), OVER_THE_WIRE).close());
      }
      int steps = 0;
      for (CompletableFuture<?> all = CompletableFuture.allOf(openings); !all.isDone(); steps++) {
        run(session, sum).get(10, TimeUnit.SECONDS);
      }

      CompletableFuture.allOf(openings).get(1, TimeUnit.SECONDS);
      assertThat(steps).isGreaterThan(15 * openings.length);
    } finally {
      large.graph().close();
      modest.graph().close();
    }
  }

  /** As soon as a graph is known to be brief, its steps run on the threads that move bytes. */
  @Test
  void health_whileABriefGraphTakesLong_isAnswered() throws Exception {
    Ops tf = Ops.create();
    Output n = tf.placeholder(DataType.INT32, Shape.scalar());
    Output square = tf.fill(tf.stack(n, n), tf.constant(1d));
    Output sum = tf.sum(tf.matMul(square, square));
    List<ManagedChannel> channels = new ArrayList<>();
    try (Server server = start();
        Session session = Session.open(server.target(), tf.graph(), OVER_THE_WIRE);
        Tensor small = Tensor.scalar(2);
        Tensor large = Tensor.scalar(1800)) {
      String address = server.target().substring("grpc://".length());
      for (int i = 0; i < 8; i++) { // More than there are threads that move bytes.
        channels.add(ManagedChannelBuilder.forTarget(address).usePlaintext().build());
        check(channels.get(i));
      }
      for (int i = 0; i < 1000; i++) {
        session.runner().feed(n, small).fetch(sum).run().close();
      }

      try (RunningStep step = session.runner().feed(n, large).fetch(sum).start()) {
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> step.await().close());
        awaitProduct();
        for (ManagedChannel channel : channels) {
          check(channel);
        }
        assertThat(end).as("the kernel is still at work").isNotDone();
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      channels.forEach(ManagedChannel::shutdownNow);
      tf.graph().close();
    }
  }

  private static void check(ManagedChannel channel) {
    assertThat(
            HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(1, TimeUnit.SECONDS)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(ServingStatus.SERVING);
  }

  private static void awaitProduct() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (Thread.getAllStackTraces().values().stream()
        .flatMap(Stream::of)
        .noneMatch(frame -> frame.getClassName().contains("MatMul"))) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static CompletableFuture<Float> run(Session session, Output fetch) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (StepResult value = session.runner().fetch(fetch).run()) {
            return value.get(0).floatValue();
          }
        });
  }

  private static Graph endlessLoop() {
    Ops tf = Ops.create();
    Output loop =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0f)),
                (inner, values) -> inner.less(values.get(0), inner.constant(1f)),
                (inner, values) -> List.of(inner.mul(values.get(0), inner.constant(0.5f))))
            .get(0);
    tf.withName("endless").identity(loop);
    return tf.graph();
  }

  private static Server start() {
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:0")));
    return Server.start(
        ServerOptions.of(cluster, "local", 0)
            .withConfig(ConfigProto.newBuilder().setInterOpParallelismThreads(THREADS).build()));
  }
}
