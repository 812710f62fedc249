package dev.tributary.app.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import dev.tributary.internal.scalars.ScalarPoint;
import dev.tributary.record.EventWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsCommandTest {
  @TempDir private Path folder;

  @Test
  void events_twoRuns_plotsEachScalar() {
    write(folder, "loss", 4, 2, 1);
    write(folder.resolve("eval"), "accuracy", 0.5f, 0.9f);

    CommandOutcome outcome = CommandOutcome.of("events", folder.toString());

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("loss: 3 points, last 1.00000 at step 20")
        .contains("eval accuracy: 2 points, last 0.900000 at step 10")
        .contains("*");
  }

  @Test
  void events_pointsOfATag_printsLines() {
    write(folder, "loss", 4, 2);
    write(folder, "other", 1);

    CommandOutcome outcome =
        CommandOutcome.of("events", folder.toString(), "--points", "--tag", "loss");

    assertThat(outcome.out().lines()).hasSize(2);
    assertThat(outcome.out()).startsWith(".\tloss\t0\t4.0\t").contains(".\tloss\t10\t2.0\t");
  }

  @Test
  void events_nothingToShow_tellsWhy() {
    assertThat(CommandOutcome.of("events", folder.toString()).err()).contains("no event file");
    assertThat(CommandOutcome.of("events", folder.resolve("gone").toString()).err())
        .contains("gone");
    write(folder, "loss", 1);
    assertThat(CommandOutcome.of("events", folder.toString(), "--tag", "x").err())
        .contains("no scalars", "'x'");
    assertThat(CommandOutcome.of("events", folder.toString(), "--width", "2").exitCode())
        .isEqualTo(2);
  }

  @Test
  void events_damagedFile_isOneLineThatNamesIt() throws IOException {
    write(folder, "loss", 1, 2);
    Path file;
    try (Stream<Path> files = Files.list(folder)) {
      file = files.findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 6] ^= 1;
    Files.write(file, bytes);

    CommandOutcome outcome = CommandOutcome.of("events", folder.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.err()).contains(file.getFileName().toString());
  }

  @Test
  void plot_fallingLine_goesFromTopLeftToBottomRight() {
    List<ScalarPoint> points =
        List.of(new ScalarPoint(0, 0, 3), new ScalarPoint(5, 0, 2), new ScalarPoint(10, 0, 1));

    assertThat(new ScalarPlot(11, 3).draw(points).lines())
        .containsExactly(
            "      3.000 |*",
            "      2.000 |     *",
            "      1.000 |          *",
            "            +-----------",
            "             0        10");
  }

  @Test
  void plot_noFiniteOrOneValue_isNoError() {
    assertThat(new ScalarPlot(20, 3).draw(List.of(new ScalarPoint(1, 0, Double.NaN))))
        .contains("no finite value");
    assertThat(new ScalarPlot(20, 3).draw(List.of(new ScalarPoint(1, 0, 5)))).contains("*");
  }

  private static void write(Path run, String tag, float... values) {
    try (EventWriter writer = EventWriter.create(run)) {
      for (int i = 0; i < values.length; i++) {
        writer.scalar(tag, values[i], 10L * i);
      }
    }
  }
}
