package dev.tributary.bench.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.bench.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingSuiteTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                         | Which command?",
        "checkpoint                 | --folder",
        "digits                     | --tributary",
        "report run.txt --commit a  | --command",
      })
  void commandLine_wrong_isExplained(String line, String wanted) {
    CommandOutput output = run(line.isEmpty() ? new String[0] : line.split(" "));
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.errors()).contains(wanted);
  }

  @Test
  void rounds_asALine_areReadBack() {
    Rounds rounds = new Rounds(Quantity.SAVE, List.of(812.25, 790.0));
    assertThat(rounds.toLine()).isEqualTo("SAVE 812.250 790.000");
    assertThat(Rounds.parse(rounds.toLine())).isEqualTo(rounds);
  }

  @ParameterizedTest
  @CsvSource({"''", "SAVE", "SAVE fast", "SPEED 1"})
  void rounds_ofAnotherLine_areRejected(String line) {
    assertThatThrownBy(() -> Rounds.parse(line))
        .hasMessageContaining("not a measurement: '" + line + "'");
  }

  @Test
  void report_ofARun_tellsWhatReachedItsGoal() throws IOException {
    Path measured =
        Files.writeString(
            folder.resolve("run.txt"),
            """
            SLOWDOWN 7.5 3 2
            MLP_RATIO 0.7 0.76 0.74 0.72
            MLP_ASYNC 16000 17000 18000 19000
            """);
    Path results =
        Files.writeString(
            folder.resolve("RESULTS.md"), "<!-- begin training -->\nold\n<!-- end training -->\n");
    CommandOutput output =
        run(
            "report",
            measured.toString(),
            "--commit",
            "abc",
            "--command",
            "bench/training",
            "--write",
            results.toString());
    assertThat(output.errors()).isEmpty();
    assertThat(output.text())
        .contains("commit abc, `bench/training`")
        .containsSubsequence(
            "| examples/s | 17,500 | 16,000 to 19,000 | 4 |  |  |\n",
            "| x | 0.73 | 0.70 to 0.76 | 4 | at least 0.75 | missed |\n",
            "| % | 3.00 | 2.00 to 7.50 | 3 | under 5 | reached |\n");
    assertThat(results)
        .hasContent("<!-- begin training -->\n" + output.text() + "<!-- end training -->\n");
  }

  @Test
  void report_ofAnEmptyRun_fails() throws IOException {
    Path run = Files.writeString(folder.resolve("run.txt"), "");
    CommandOutput output = run("report", run.toString(), "--commit", "a", "--command", "b");
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.errors()).contains("holds no results");
  }

  @Test
  void digits_whatTheCommandSays_isUnderstood() {
    String said =
        """
        data: 60,000 images to learn from, 10,000 to be tested on
        worker 0: 938 steps in 30.0 s (2,000 images/s), last loss 0.0123
        test accuracy 98.59 % (9,859 of 10,000 right), 98.84 % using the average model
        """;
    assertThat(DigitsCommand.parse(said, 31.5))
        .isEqualTo(new DigitsCommand.Outcome(98.59, 98.84, 31.5));
    assertThatThrownBy(() -> DigitsCommand.parse("nothing", 1))
        .hasMessageContaining("told no test accuracy");
  }

  private static CommandOutput run(String... arguments) {
    return CommandOutput.of(TrainingSuite.commandLine(), arguments);
  }
}
