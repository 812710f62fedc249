package dev.tributary.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.bench.CommandOutput;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                    | Which command?",
        "tasks                                 | COUNT",
        "tasks 0                               | one task or more, got 0",
        "nodes 1500                            | lanes of 1000 nodes, got 1500",
        "report run.txt --commit a --command b | --plots",
      })
  void commandLine_wrong_isExplained(String line, String wanted) {
    CommandOutput output = run(line.isEmpty() ? new String[0] : line.split(" "));
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.errors()).contains(wanted);
  }

  @Test
  void point_asALine_isReadBack() {
    Point point =
        new Point(Growth.TASKS, 8, Map.of(Quantity.THREADS, 31.0, Quantity.NULL_STEP, 1.25));
    assertThat(point.toLine()).isEqualTo("TASKS 8 NULL_STEP=1.250 THREADS=31.000");
    assertThat(Point.parse(point.toLine())).isEqualTo(point);
  }

  @ParameterizedTest
  @CsvSource({"''", "TASKS", "TASKS x", "TASKS 8 SPEED=1", "TASKS 8 THREADS", "HEAPS 8 THREADS=1"})
  void point_ofAnotherLine_isRejected(String line) {
    assertThatThrownBy(() -> Point.parse(line)).hasMessageContaining("not a point: '" + line + "'");
  }

  @Test
  void report_ofARun_hasTablesAndPlots() throws IOException {
    Path points =
        Files.writeString(
            folder.resolve("run.txt"),
            """
            TASKS 5 SPANNING_STEP=1500 NULL_STEP=200 IDLE_RESIDENT=130 USED_RESIDENT=150 IDLE_HEAP=20
            TASKS 1 SPANNING_STEP=30.4 IDLE_RESIDENT=100 USED_RESIDENT=110 IDLE_HEAP=12.5
            NODES 1000 FIRST_RUN=160 LATER_STEP=1.27 OPEN_HEAP=21 CLOSED_HEAP=18 USED_RESIDENT=240
            """);
    Path results =
        Files.writeString(
            folder.resolve("RESULTS.md"), "<!-- begin scale -->\nold\n<!-- end scale -->\n");
    Path plots = folder.resolve("plots");
    CommandOutput output =
        run(
            "report",
            points.toString(),
            "--commit",
            "abc",
            "--command",
            "bench/scale",
            "--plots",
            plots.toString(),
            "--write",
            results.toString());
    assertThat(output.errors()).isEmpty();
    assertThat(output.text())
        .contains("commit abc, `bench/scale`")
        .containsSubsequence(
            "| 1 | - | 30.4 | - | 12.5 | 100 | - | 110 | - |\n",
            "| 5 | 200 | 1,500 | - | 20.0 | 130 | 7.50 | 150 | 10.0 |\n",
            "![tasks](plots/tasks.png)",
            "| 1,000 | 160 | 1.27 | 21.0 | 18.0 | 240 |\n",
            "![nodes](plots/nodes.png)");
    assertThat(results)
        .hasContent("<!-- begin scale -->\n" + output.text() + "<!-- end scale -->\n");
    assertThat(colours(plots.resolve("tasks.png"))).isGreaterThan(3);
    assertThat(colours(plots.resolve("nodes.png"))).isGreaterThan(3);
  }

  @Test
  void report_ofAnEmptyRun_fails() throws IOException {
    Path run = Files.writeString(folder.resolve("run.txt"), "");
    CommandOutput output =
        run("report", run.toString(), "--commit", "a", "--command", "b", "--plots", "p");
    assertThat(output.exitCode()).isEqualTo(2);
    assertThat(output.errors()).contains("holds no results");
  }

  /** How many colours a picture has that are no greys: lines have some, an empty plot none. */
  private static long colours(Path picture) throws IOException {
    BufferedImage image = ImageIO.read(picture.toFile());
    return Arrays.stream(
            image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
        .distinct()
        .mapToObj(Color::new)
        .filter(c -> c.getRed() != c.getGreen() || c.getGreen() != c.getBlue())
        .count();
  }

  private static CommandOutput run(String... arguments) {
    return CommandOutput.of(Scale.commandLine(), arguments);
  }
}
