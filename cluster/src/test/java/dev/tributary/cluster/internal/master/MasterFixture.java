package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A cluster of one ps and two workers, a master on the first of these, and graphs for them. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class MasterFixture {
  MasterCluster cluster;
  MasterInterface master;
  Ops tf;
  Ops ps;
  Ops worker;

  private MasterConnector connector;

  /** How tests reach masters. */
  abstract MasterConnector connector();

  @BeforeEach
  void start() {
    connector = connector();
    cluster = new MasterCluster(Map.of("ps", 1, "worker", 2), 1);
    master = connect(0);
    tf = new Ops(cluster.tiny.graph().scope());
    ps = tf.withDevice("/job:ps/task:0");
    worker = tf.withDevice("/job:worker/task:1");
  }

  @AfterEach
  void stop() {
    connector.close();
    cluster.close();
  }

  /** A new master on one of the workers' tasks. */
  MasterInterface connect(int index) {
    return connector.connect(
        cluster.master("worker", index), cluster.worker(new TaskName("worker", index)));
  }

  TestClient open() {
    return TestClient.open(master, tf.graph());
  }

  /** A variable on ps, read by another task as {@code value}. */
  void counter() {
    Variable counter = ps.state.variable("counter", ps.constant(0f));
    worker.withName("value").identity(counter.value());
    ps.withName("increment").state.assignAddVariableOp(counter.handle(), worker.constant(1f));
  }

  /** {@code sum = a + b} and {@code a2 = 2 a}, on two tasks. */
  void sum() {
    Output a = tf.withName("a").placeholder(DataType.FLOAT, Shape.scalar());
    Output b = tf.withName("b").placeholder(DataType.FLOAT, Shape.scalar());
    worker.withName("sum").add(a, b);
    ps.withName("a2").add(a, a);
    tf.withName("three").constant(3f);
  }

  /** {@code a1 = a + 1} on one task, {@code ab = a1 + b} on another. */
  void chain() {
    Output a = tf.withName("a").placeholder(DataType.FLOAT, Shape.scalar());
    Output b = tf.withName("b").placeholder(DataType.FLOAT, Shape.scalar());
    Output a1 = ps.withName("a1").add(a, tf.constant(1f));
    worker.withName("ab").add(a1, b);
  }

  /** A node on another task that waits until a test lets it go. */
  void waiting() {
    cluster
        .tiny
        .graph()
        .scope()
        .withDevice("/job:ps/task:0")
        .withName("wait")
        .operation("TestWait")
        .input(tf.constant(1L))
        .build();
  }
}
