package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does not take from its callers, and that it goes on afterwards. */
@NoLeaks
@Timeout(120)
class LimitsTest {
  private static final ClusterSpec ANY_PORT =
      ClusterSpec.of(Map.of("local", List.of("localhost:0")));
  private static final SessionOptions OVER_THE_WIRE =
      SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void message_tooLong_isRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output sum = tf.sum(x);
    try (Server server = start(limits -> limits.withMessageBytes(100_000));
        Session session = open(server);
        Tensor large = Tensor.of(new float[100_000]);
        Tensor small = Tensor.of(new float[10_000])) {
      assertExhausted(() -> session.runner().feed(x, large).fetch(sum).run())
          .withMessageContaining("--max-message-bytes");
      session.runner().feed(x, small).fetch(sum).run().close();
    }
  }

  @Test
  void graph_tooManyNodes_isRefused() {
    chain(100);
    try (Server server = start(limits -> limits.withGraphNodes(50))) {
      assertExhausted(() -> open(server))
          .withMessageContaining("at most 50 nodes")
          .withMessageContaining("--max-graph-nodes");
    }
  }

  @Test
  void graph_growsTooLarge_isRefusedAndStaysAsItWas() {
    Output before = chain(10);
    try (Server server = start(limits -> limits.withGraphNodes(50));
        Session session = open(server)) {
      session.runner().fetch(before).run().close();
      Output after = chain(100);
      assertExhausted(() -> session.runner().fetch(after).run())
          .withMessageContaining("at most 50 nodes");
    }
  }

  @Test
  void graph_tooManyBytes_isRefused() {
    tf.constant(new float[100_000]);
    try (Server server = start(limits -> limits.withGraphBytes(200_000))) {
      assertExhausted(() -> open(server)).withMessageContaining("at most 1000000 nodes in 200000");
    }
  }

  @Test
  void sessions_tooMany_areRefusedUntilOneIsClosed() {
    try (Server server = start(limits -> limits.withSessions(2));
        Session first = open(server)) {
      Session second = open(server);
      assertExhausted(() -> open(server))
          .withMessageContaining("2 of at most 2 sessions")
          .withMessageContaining("--max-sessions");
      second.close();
      open(server).close();
      first.run(tf.noOp());
    }
  }

  @Test
  void sessions_tooManyAtATaskOfTheCluster_areRefused() {
    try (ServersForTest servers =
            ServersForTest.start(
                Map.of("ps", 1, "worker", 1),
                options ->
                    options.task().job().equals("ps")
                        ? options.withLimits(Limits.defaults().withSessions(1))
                        : options);
        Session first = open(servers.server("worker", 0))) {
      assertExhausted(() -> open(servers.server("worker", 0)))
          .withMessageContaining("1 of at most 1 sessions");
      first.run(tf.noOp());
    }
  }

  @Test
  void sessions_refusedGraphs_takeNoPlace() {
    chain(100);
    try (Server server = start(limits -> limits.withSessions(1).withGraphNodes(50));
        Graph small = Ops.create().graph()) {
      for (int i = 0; i < 3; i++) {
        assertExhausted(() -> open(server)).withMessageContaining("nodes");
      }
      Session.open(server.target(), small, OVER_THE_WIRE).close();
    }
  }

  @Test
  void memory_moreThanAllowed_isRefusedAndTheNextStepRuns() {
    Output large = tf.fill(tf.constant(new int[] {1000, 1000}), tf.constant(1f));
    Output small = tf.fill(tf.constant(new int[] {10}), tf.constant(1f));
    try (Server server = start(limits -> limits.withMemoryBytes(1 << 20));
        Session session = open(server)) {
      assertExhausted(() -> session.runner().fetch(tf.neg(large)).run())
          .withMessageContaining("at most 1048576 bytes")
          .withMessageContaining("--max-memory-bytes");
      try (StepResult result = session.runner().fetch(tf.neg(small)).run()) {
        assertThat(result.get(0).shape()).isEqualTo(Shape.of(10));
      }
    }
  }

  @Test
  void memory_moreThanAllowedForAnotherTask_isRefused() {
    Ops ps = tf.withDevice("/job:ps/task:0");
    Output length = tf.placeholder(DataType.INT32, Shape.of(1));
    Output sent = ps.fill(length, ps.constant(1f));
    Output received = tf.withDevice("/job:worker/task:0").neg(sent);
    try (ServersForTest servers =
            ServersForTest.start(
                Map.of("ps", 1, "worker", 1),
                options -> options.withLimits(Limits.defaults().withMemoryBytes(1 << 20)));
        Session session = Session.open(servers.target("worker", 0), tf.graph());
        Tensor small = Tensor.of(10_000);
        Tensor large = Tensor.of(1_000_000)) {
      for (int i = 0; i < 20; i++) { // Until the tasks have their way past gRPC.
        session.runner().feed(length, small).target(received.operation()).run().close();
      }
      assertExhausted(() -> session.runner().feed(length, large).target(received.operation()).run())
          .withMessageContaining("at most 1048576 bytes")
          .withMessageContaining("Fill");
    }
  }

  @Test
  void memory_variablesAndQueues_areNamedWhenItIsFull() {
    Variable weights = tf.variable("weights", floats(100_000));
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(10, DataType.FLOAT));
    Operation enqueue = queue.enqueue(floats(60_000));
    try (Server server = start(limits -> limits.withMemoryBytes(1 << 20));
        Session session = open(server)) {
      session.run(weights.initializer());
      session.run(enqueue);
      assertExhausted(() -> session.run(enqueue, weights.assignAdd(floats(100_000))))
          .withMessageContaining("variables 390.6 KiB (the largest is 'weights' with 390.6 KiB)")
          .withMessageContaining("queues 234.6 KiB");
      session.run(enqueue);
    }
  }

  @Test
  void memory_feedThatDoesNotFit_isRefusedAndTheNextStepRuns() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output sum = tf.sum(x);
    try (Server server = start(limits -> limits.withMemoryBytes(8 << 20));
        Session session = open(server);
        Tensor large = Tensor.of(new float[3_000_000]);
        Tensor fitting = Tensor.of(new float[500_000])) {
      long before = directMemory();
      for (int i = 0; i < 20; i++) {
        assertExhausted(() -> session.runner().feed(x, large).fetch(sum).run())
            .withMessageContaining("messages");
        session.runner().feed(x, fitting).fetch(sum).run().close();
      }
      // Neither side keeps parts of refused messages: that would be 6 MB of each.
      assertThat(directMemory() - before).isLessThan(60 << 20);
    }
  }

  @Test
  void memory_stringsOfFeeds_areCountedUntilTheStepEnds() {
    Output x = tf.placeholder(DataType.STRING, Shape.of(-1));
    Variable kept = tf.variable("kept", x);
    String[] words = new String[10_000]; // Many headers: little in messages, much on the heap.
    Arrays.fill(words, "word");
    try (Server server = start(limits -> limits.withMemoryBytes(700_000));
        Session session = open(server);
        Tensor feed = Tensor.of(words)) {
      for (int i = 0; i < 10; i++) {
        session.runner().feed(x, feed).target(kept.initializer()).run().close();
      }
      Output other = tf.identity(x);
      for (int i = 0; i < 10; i++) {
        session.runner().feed(x, feed).fetch(other).run().close();
      }
      try (Tensor larger = Tensor.of(concat(words, words))) {
        assertExhausted(() -> session.runner().feed(x, larger).fetch(other).run())
            .withMessageContaining("a tensor of strings of 560000 bytes")
            .withMessageContaining("variables 273.4 KiB (the largest is 'kept' with 273.4 KiB)");
      }
    }
  }

  private static String[] concat(String[] a, String[] b) {
    return Stream.of(a, b).flatMap(Stream::of).toArray(String[]::new);
  }

  @Test
  void memory_constantsOfSessions_areCountedUntilTheyAreClosed() {
    tf.constant(new float[100_000]);
    try (Server server = start(limits -> limits.withMemoryBytes(1 << 20))) {
      Session first = open(server);
      Session second = open(server);
      assertExhausted(() -> open(server)).withMessageContaining("constants 781.3 KiB");
      second.close();
      open(server).close();
      first.close();
    }
  }

  @Test
  void memory_libraryThatComesWithEachExtension_isCountedOnce() {
    GraphFunction shift =
        tf.function(
            "shift", (f, args) -> List.of(f.add(args.get(0), f.constant(new float[100_000]))));
    tf.call(shift, tf.placeholder(DataType.FLOAT, Shape.of(100_000)));
    try (Server server = start(limits -> limits.withMemoryBytes(1 << 20));
        Session session = open(server)) {
      for (int i = 0; i < 5; i++) {
        session.runner().fetch(tf.neg(tf.constant((float) i))).run().close();
      }
    }
  }

  @Test
  void memory_valueReceivedFromAnotherTask_isCountedThere() {
    Ops ps = tf.withDevice("/job:ps/task:0");
    Output length = tf.placeholder(DataType.INT32, Shape.of(1));
    Output sent = ps.fill(length, ps.constant(1f));
    Output received = tf.withDevice("/job:worker/task:0").neg(sent);
    for (FastPaths paths : FastPaths.values()) {
      try (ServersForTest servers =
              ServersForTest.start(
                  Map.of("ps", 1, "worker", 1),
                  options ->
                      options.task().job().equals("worker")
                          ? options
                              .withFastPaths(paths)
                              .withLimits(Limits.defaults().withMemoryBytes(1 << 20))
                          : options.withFastPaths(paths));
          Session session = Session.open(servers.target("worker", 0), tf.graph());
          Tensor small = Tensor.of(10_000);
          Tensor large = Tensor.of(1_000_000)) {
        for (int i = 0; i < 5; i++) {
          session.runner().feed(length, small).target(received.operation()).run().close();
          assertExhausted(
                  () -> session.runner().feed(length, large).target(received.operation()).run())
              .withMessageContaining("--max-memory-bytes");
        }
      }
    }
  }

  @Test
  void limits_notPositive_areRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Limits.defaults().withSessions(0))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining("sessions must be 1 or more, got 0");
  }

  /** Of network buffers, mostly. */
  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private Output floats(int count) {
    return tf.random.uniform(tf.constant(new int[] {count}), DataType.FLOAT);
  }

  private Output chain(int length) {
    Output last = tf.constant(1f);
    for (int i = 0; i < length; i++) {
      last = tf.neg(last);
    }
    return last;
  }

  private static ThrowableAssertAlternative<TributaryException> assertExhausted(
      ThrowingCallable call) {
    return assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(call)
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED");
  }

  private Session open(Server server) {
    return Session.open(server.target(), tf.graph(), OVER_THE_WIRE);
  }

  private static Server start(UnaryOperator<Limits> change) {
    return Server.start(
        ServersForTest.options(ANY_PORT, new TaskName("local", 0))
            .withLimits(change.apply(Limits.defaults())));
  }
}
