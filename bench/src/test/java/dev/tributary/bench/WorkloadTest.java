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
  void datasetTraining_reportsBothInputsAndTheirRatio() {
    List<String> said = Listener.said(new DatasetTraining(300), "");

    assertThat(said).hasSize(3);
    assertThat(said.get(0)).contains("\"input\":\"dataset\"", "\"unit\":\"examples/s\"");
    assertThat(said.get(1)).contains("\"input\":\"tensors\"", "\"unit\":\"examples/s\"");
    assertThat(said.get(2)).contains("\"input\":\"dataset to tensors\"", "\"unit\":\"x\"");
  }

  @Test
  void datasetMemory_ofASmallFile_reportsHowMuchMoreIsInUse() {
    assertThat(Listener.said(new DatasetMemory(1000), ""))
        .singleElement()
        .asString()
        .startsWith("RESULT {\"bench\":\"data-memory\",\"params\":{\"gib\":0.06")
        .contains("\"unit\":\"MiB more\",\"better\":\"min\"");
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
