package dev.tributary.examples.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs that need no cluster, in this process. */
@NoLeaks
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("slow")
class ModelExamplesTest {
  @Test
  void lineFit_threePoints_findsTheLine() {
    assertThat(output(LineFit::main)).containsExactly("2.00 x + 1.00");
  }

  @Test
  void irisDense_unseenFlowers_mostlyRight() {
    assertThat(accuracy(output(IrisDense::main))).isGreaterThan(0.9);
  }

  @Test
  void irisRecords_unseenFlowersFromFiles_mostlyRight(@TempDir Path folder) {
    assertThat(accuracy(output(IrisRecords::main, folder.toString()))).isGreaterThan(0.9);
  }

  @Test
  void digitsConv_unseenDigits_mostlyRight() {
    assertThat(accuracy(output(DigitsConv::main))).isGreaterThan(0.9);
  }

  @Test
  void textModel_fewSteps_learnsMoreThanFrequencies() {
    List<String> lines = output(TextModel::main, "100");
    // The entropy of the characters is 3.28: the loss of a model that knows only how often each
    // one occurs.
    assertThat(loss(lines.get(1))).isLessThan(3);
    assertThat(loss(lines.get(1))).isLessThan(loss(lines.get(0)));
    assertThat(lines.get(2)).isEqualTo("First Citizen:");
    assertThat(String.join("\n", lines.subList(2, lines.size()))).hasSizeBetween(250, 300);
  }

  private static double loss(String line) {
    return Double.parseDouble(line.substring(line.indexOf("loss ") + "loss ".length()));
  }

  static double accuracy(List<String> lines) {
    String last = lines.get(lines.size() - 1);
    assertThat(last).startsWith("accuracy ");
    return Double.parseDouble(last.substring("accuracy ".length()));
  }

  static List<String> output(Consumer<String[]> program, String... arguments) {
    PrintStream console = System.out;
    Locale locale = Locale.getDefault();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    Locale.setDefault(Locale.ROOT);
    try {
      program.accept(arguments);
    } finally {
      Locale.setDefault(locale);
      System.setOut(console);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
