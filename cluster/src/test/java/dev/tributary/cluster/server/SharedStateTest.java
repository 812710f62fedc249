package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.StatePlacement;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.NoLeaks;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** State that asks for no device is one for the sessions at all servers of a cluster. */
@NoLeaks
@Timeout(120)
class SharedStateTest {
  private final Ops tf = Ops.create();
  private final Variable variable = tf.variable("variable", tf.constant(0f));
  private final Operation increment = variable.assignAdd(tf.constant(1f));
  private final Operation init = tf.globalVariablesInitializer();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void variable_sessionsAtTwoServers_isOne() {
    try (ServersForTest servers = ServersForTest.start(Map.of("local", 2))) {
      requireValues(servers, "local", all(), 1, 1);
    }
  }

  @Test
  void variable_clusterWithParameterServer_livesThere() {
    try (ServersForTest servers = ServersForTest.start(Map.of("chief", 1, "ps", 1, "worker", 2))) {
      requireValues(servers, "worker", all(), 1, 1);
      assertThat(valueAt(servers.target("ps", 0), all().withDeviceFilters("/job:ps"))).isEqualTo(1);
    }
  }

  @Test
  void variable_firstTaskFilteredOut_livesOnTheFirstVisibleOne() {
    try (ServersForTest servers = ServersForTest.start(Map.of("ps", 2, "worker", 2))) {
      ClusterOptions withoutFirst = all().withDeviceFilters("/job:ps/task:1", "/job:worker");
      requireValues(servers, "worker", withoutFirst, 1, 1);
      assertThat(valueAt(servers.target("ps", 1), all().withDeviceFilters("/job:ps/task:1")))
          .isEqualTo(1);
    }
  }

  @Test
  void variable_isolatedSessions_isEachOnesOwn() {
    try (ServersForTest servers = ServersForTest.start(Map.of("local", 2))) {
      requireValues(servers, "local", all().withIsolatedState(), 1, 0);
    }
  }

  @Test
  void variable_stockPlacement_isEachServersOwn() {
    UnaryOperator<ServerOptions> stock =
        options -> options.withStatePlacement(StatePlacement.MASTER_TASK);
    try (ServersForTest servers = ServersForTest.start(Map.of("local", 2), stock)) {
      requireValues(servers, "local", all(), 1, 0);
    }
  }

  @Test
  void queue_withSharedName_passesValuesBetweenServers() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(2, DataType.FLOAT).withSharedName("q"));
    Operation enqueue = queue.enqueue(tf.constant(7f));
    Output dequeued = queue.dequeue().get(0);
    try (ServersForTest servers = ServersForTest.start(Map.of("local", 2));
        Session first = Session.open(servers.target("local", 0), tf.graph());
        Session second = Session.open(servers.target("local", 1), tf.graph())) {
      first.run(enqueue);
      try (StepResult result = second.runner().fetch(dequeued).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(7);
      }
    }
  }

  /** Increments once in a session at task 0, and reads in it and in one at task 1. */
  private void requireValues(
      ServersForTest servers, String job, ClusterOptions options, float here, float there) {
    try (Session first = open(servers.target(job, 0), options);
        Session second = open(servers.target(job, 1), options)) {
      first.run(init);
      second.run(init);
      first.run(increment);
      assertThat(value(first)).isEqualTo(here);
      assertThat(value(second)).isEqualTo(there);
    }
  }

  private float valueAt(String target, ClusterOptions options) {
    try (Session session = open(target, options)) {
      return value(session);
    }
  }

  private float value(Session session) {
    try (StepResult result = session.runner().fetch(variable.value()).run()) {
      return result.get(0).floatValue();
    }
  }

  private Session open(String target, ClusterOptions options) {
    return Session.open(target, tf.graph(), SessionOptions.defaults().withCluster(options));
  }

  private static ClusterOptions all() {
    return ClusterOptions.defaults();
  }
}
