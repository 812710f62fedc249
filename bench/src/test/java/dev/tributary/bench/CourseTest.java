package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CourseTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                                | Which command?",
        "bench                                             | WORKLOAD",
        "bench vgg                                         | unknown workload 'vgg', wanted"
            + " null-step",
        "bench mlp --vars lazy                             | expected one of [resource, ref]",
        "bench mlp --speed 9                               | Unknown option",
        "bench mlp --task x                                | 'x' is not an int",
        "bench dense-step --mib 16                         | dense-step runs on a cluster: it needs"
            + " --ps",
        "server --job ps --task 0 --ps a:1                 | Missing required option: '--worker",
        "server                                            | Missing required options",
        "certificates                                      | Missing required",
        "report run.jsonl --command x                      | --commit",
      })
  void commandLine_wrong_isExplained(String line, String wanted) {
    CommandOutput output = run(line.isEmpty() ? new String[0] : line.split(" "));
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.errors()).contains(wanted);
  }

  @Test
  void report_ofARun_isPrintedAndWritten() throws IOException {
    Path run = Files.writeString(folder.resolve("run.jsonl"), "noise\n\u001b[0m" + line("50", 2));
    Path results =
        Files.writeString(
            folder.resolve("RESULTS.md"),
            "Method.\n<!-- begin course -->\nold\n<!-- end course -->\nEnd.\n");
    CommandOutput output =
        run(
            "report",
            run.toString(),
            "--commit",
            "abc",
            "--command",
            "bench/course",
            "--write",
            results.toString());
    assertThat(output.exitCode()).isZero();
    assertThat(output.text())
        .contains("commit abc, `bench/course`")
        .contains(Machine.here().jdk())
        .contains("Medians of 2 rounds");
    assertThat(results)
        .hasContent(
            "Method.\n<!-- begin course -->\n" + output.text() + "<!-- end course -->\nEnd.\n");
  }

  @Test
  void report_ofAnEmptyRun_fails() throws IOException {
    Path run = Files.writeString(folder.resolve("run.jsonl"), "");
    CommandOutput output = run("report", run.toString(), "--commit", "abc", "--command", "x");
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.errors()).contains("holds no results");
  }

  private static String line(String median, int rounds) {
    return "{\"peer\": \"tributary\", \"bench\": \"mlp\", \"params\": {\"mode\": \"local\"},"
        + " \"unit\":"
        + " \"examples/s\", \"median\": %s, \"best\": 60, \"rounds\": [%s]}%n"
            .formatted(median, "1.0, ".repeat(rounds - 1) + "1.0");
  }

  private static CommandOutput run(String... arguments) {
    return CommandOutput.of(Course.commandLine(), arguments);
  }
}
