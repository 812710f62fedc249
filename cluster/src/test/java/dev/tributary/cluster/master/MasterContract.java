package dev.tributary.cluster.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.testing.NoLeaks;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a master promises about sessions, graphs and steps, however it is reached. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class MasterContract {
  private MasterCluster cluster;
  private MasterInterface master;
  private Ops tf;
  private Ops ps;
  private Ops worker;

  /** How a test reaches a master. */
  abstract MasterInterface connect(Master local);

  @BeforeEach
  void start() {
    cluster = new MasterCluster(Map.of("ps", 1, "worker", 2), 1);
    master = connect(cluster.master("worker", 0));
    tf = new Ops(cluster.tiny.graph().scope());
    ps = tf.withDevice("/job:ps/task:0");
    worker = tf.withDevice("/job:worker/task:1");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  // ---- steps ----

  @Test
  void runStep_variableOnAnotherTask_isSharedBySessions() {
    counter();
    MasterInterface other = connect(cluster.master("worker", 1));
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

  private TestClient open() {
    return TestClient.open(master, tf.graph());
  }

  private GraphVariable counter() {
    GraphVariable counter = ps.state.variable("counter", ps.constant(0f));
    worker.withName("value").array.identity(counter.value());
    ps.withName("increment").state.assignAddVariableOp(counter.handle(), worker.constant(1f));
    return counter;
  }
}
