package dev.tributary.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing what a session on a cluster gave, or what it was fed, damages nothing there. */
@NoLeaks
@Timeout(60)
class RemoteOwnershipTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void close_fetchedValuesTwice_laterStepsStillRun(boolean shortCut) {
    Ops tf = Ops.create();
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(2));
    Output constant = tf.constant(1f, 2f);
    Variable variable = tf.variable("v", tf.constant(3f, 4f));
    List<Output> fetches = List.of(constant, variable.value(), tf.identity(x), constant);
    ClusterOptions cluster = ClusterOptions.defaults();
    SessionOptions options =
        SessionOptions.defaults().withCluster(shortCut ? cluster : cluster.withoutShortCut());
    try (ServersForTest servers = ServersForTest.start(Map.of("local", 1));
        Session session = Session.open(servers.target("local", 0), tf.graph(), options);
        StepCallable callable = session.prepare(List.of(x), fetches, List.of());
        Tensor fed = Tensor.of(5f, 6f)) {
      session.run(tf.globalVariablesInitializer());
      for (int i = 0; i < 3; i++) {
        requireValuesAndCloseTwice(session.runner().feed(x, fed).fetch(fetches).run());
        requireValuesAndCloseTwice(callable.run(fed));
      }
      Tensor closed = fed.retain();
      closed.close();
      assertThatThrownBy(() -> callable.run(closed))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessageContaining("the feed of x:0");
      assertThat(fed.toFloats()).containsExactly(5, 6);
    } finally {
      tf.graph().close();
    }
  }

  private static void requireValuesAndCloseTwice(StepResult result) {
    assertThat(result.get(0).toFloats()).containsExactly(1, 2);
    assertThat(result.get(1).toFloats()).containsExactly(3, 4);
    assertThat(result.get(2).toFloats()).containsExactly(5, 6);
    for (int i = 0; i < 3; i++) {
      result.get(i).close();
      result.get(i).close();
    }
    assertThat(result.get(3).toFloats()).containsExactly(1, 2);
    result.close();
    result.close();
  }
}
