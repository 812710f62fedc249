package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.session.SessionOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the driver hears from a workload. The runs are too short for the figures to mean much. */
class WorkloadTest {
  private static final String NUMBER = "[0-9][0-9.e+-]*";

  @Test
  void training_overAllRounds_meetsAndReports() {
    Workload mlp = new Training(Model.MLP, VariableKind.resource, Replica.local());
    assertThat(Listener.said(mlp, "\n\n\n"))
        .hasSize(4)
        .startsWith("SYNC", "SYNC", "SYNC")
        .last()
        .asString()
        .matches(
            "RESULT \\{\"bench\":\"mlp\",\"params\":\\{\"mode\":\"local\"\\},"
                + "\"unit\":\"examples/s\",\"better\":\"max\",\"rounds\":\\[%s,%s\\]\\}"
                    .formatted(NUMBER, NUMBER));
  }

  @Test
  void training_whenTheDriverGoesAway_ends() {
    Workload mlp = new Training(Model.MLP, VariableKind.resource, Replica.local());
    assertThatThrownBy(() -> Listener.said(mlp, "\n"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("driver went away");
  }

  @Test
  void opOverhead_reportsChainAndSingleStep() {
    List<String> said = Listener.said(new OpOverhead(SessionOptions.defaults()), "");
    assertThat(said).hasSize(2);
    assertThat(said.get(0))
        .matches(
            "RESULT \\{\"bench\":\"op-overhead\",\"params\":\\{\"ops\":1000,\"executed\":\\d+\\},"
                + "\"unit\":\"ns/op\",\"better\":\"min\",\"rounds\":\\[%s,%s\\]\\}"
                    .formatted(NUMBER, NUMBER));
    assertThat(said.get(1))
        .startsWith(
            "RESULT {\"bench\":\"op-overhead\",\"params\":{\"ops\":1},\"unit\":\"us/step\"");
  }
}
