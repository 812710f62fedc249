package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class SessionTargetsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "local"})
  void open_localTarget_runsHere(String target) {
    Ops tf = Ops.create();
    Output sum = tf.add(tf.constant(1f), tf.constant(2f));
    try (Session session = Session.open(target, tf.graph());
        StepResult result = session.runner().fetch(sum).run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(3f);
      assertThat(session.devices())
          .extracting(DeviceDescription::name)
          .containsExactly("/job:localhost/replica:0/task:0/device:CPU:0");
    }
    tf.graph().close();
  }

  @Test
  void open_unknownScheme_listsKnownTargets() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Session.open("carrier://pigeon", Ops.create().graph()))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .withMessageContaining("carrier://pigeon")
        .withMessageContaining("local");
  }

  @Test
  void reset_localTarget_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Session.reset("local", List.of()))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND);
  }

  @Test
  void clusterOptions_noTimeToOpen_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> ClusterOptions.defaults().withOpenTimeout(Duration.ZERO))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void clusterOptions_noTimeToConnect_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> ClusterOptions.defaults().withConnectTimeout(Duration.ZERO))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void clusterOptions_negativeTimeToLookUp_isRefused() {
    assertThat(ClusterOptions.defaults().lookupTimeout()).isZero();
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> ClusterOptions.defaults().withLookupTimeout(Duration.ofMillis(-1)))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }
}
