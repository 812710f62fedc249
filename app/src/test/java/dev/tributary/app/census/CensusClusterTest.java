package dev.tributary.app.census;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import dev.tributary.app.Main;
import dev.tributary.testing.JavaProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same command as all tasks of a cluster. */
@Tag("processes")
@Tag("slow")
@Timeout(300)
class CensusClusterTest {
  @TempDir Path folder;

  @Test
  void census_withWorkers_trainsOnAClusterThatItStarts() throws Exception {
    try (JavaProgram census =
        JavaProgram.start(
            Main.class, "census", "--logdir=" + folder, "--epochs=3", "--ps=1", "--workers=2")) {
      census.awaitSuccess();

      assertThat(String.join("\n", census.lines()))
          .containsPattern("test accuracy 8[2-9].* on 1,000 rows");
    }
  }

  @Test
  void census_underTheLauncher_isTheTaskThatTheEnvironmentNames() {
    List<String> command =
        new ArrayList<>(
            List.of("run", "--ps=1", "--workers=2", "--evaluator", "--logs=" + folder, "--"));
    command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName(), "census"));
    command.addAll(List.of("--epochs=3", "--logdir=" + folder.resolve("model")));

    CommandOutcome outcome = CommandOutcome.of(command.toArray(String[]::new));

    assertThat(outcome.exitCode()).as(outcome.out()).isZero();
    assertThat(outcome.out().lines())
        .anyMatch(line -> line.matches("evaluator 0 \\| after .* test accuracy 8[2-9].*"))
        .anyMatch(line -> line.matches("ps 0 +(ended with exit code 0|stopped) .*"));
  }

  @Test
  void census_taskWithoutLogdir_isRefused() throws Exception {
    List<String> command =
        List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "census");
    String config =
        "{\"cluster\":{\"chief\":[\"localhost:1\"]},\"task\":{\"type\":\"chief\",\"index\":0}}";
    try (JavaProgram task =
        JavaProgram.start(command, environment -> environment.put("TF_CONFIG", config))) {
      assertThat(task.awaitExitCode()).isEqualTo(2);
      assertThat(String.join("\n", task.lines())).contains("--logdir");
    }
  }
}
