package dev.tributary.cluster.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.FunctionSessionContract;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Functions in a session at the master of a worker, whose cluster also has a ps. */
class ClusterFunctionTest extends FunctionSessionContract {
  private static ServersForTest servers;

  @BeforeAll
  static void startCluster() {
    servers = ServersForTest.start(Map.of("ps", 1, "worker", 1), options -> options);
  }

  @AfterAll
  static void stopCluster() {
    servers.close();
  }

  @AfterEach
  void clearVariables() {
    Session.reset(servers.target("worker", 0), List.of());
  }

  @Test
  void run_gradientOfACallThatTheMasterHas_isRefused() {
    Ops tf = Ops.create();
    Output x = tf.constant(3f);
    GraphFunction square = tf.function("square", (f, args) -> List.of(f.square(args.get(0))));
    Output y = tf.call(square, x).get(0);
    try (Graph graph = tf.graph();
        Session session = open(graph)) {
      session.runner().fetch(y).run().close();
      Output dx = (Output) Gradients.of(y, List.of(x)).get(0);
      TributaryException e =
          catchThrowableOfType(
              TributaryException.class, () -> session.runner().fetch(dx).run().close());

      assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
      assertThat(e.getMessage()).contains("square", "before the first step");
    }
  }

  @Test
  void run_functionAddedLater_reachesTheMaster() {
    Ops tf = Ops.create();
    Output x = tf.constant(3f);
    try (Graph graph = tf.graph();
        Session session = open(graph)) {
      session.runner().fetch(x).run().close();
      GraphFunction square = tf.function("square", (f, args) -> List.of(f.square(args.get(0))));
      Output y = tf.call(square, x).get(0);
      Output dx = (Output) Gradients.of(y, List.of(x)).get(0);
      try (StepResult result = session.runner().fetch(y).fetch(dx).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(9);
        assertThat(result.get(1).floatValue()).isEqualTo(6);
      }
    }
  }

  @Override
  protected Session open(Graph graph) {
    return Session.open(
        servers.target("worker", 0),
        graph,
        SessionOptions.defaults()
            .withCluster(ClusterOptions.defaults().withOpenTimeout(Duration.ofSeconds(60))));
  }

  @Override
  protected String otherDevice() {
    return "/job:ps/replica:0/task:0/device:CPU:0";
  }
}
