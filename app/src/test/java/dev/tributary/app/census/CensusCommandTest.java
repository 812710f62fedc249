package dev.tributary.app.census;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.app.CommandOutcome;
import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class CensusCommandTest {
  private static final Pattern RESULT =
      Pattern.compile("after ([0-9,]+) steps: test accuracy ([0-9.]+) %, AUC ([0-9.]+)");

  @TempDir Path folder;

  @Test
  void census_embeddedSample_isLearntAndResumed() {
    CommandOutcome first =
        CommandOutcome.of("census", "--logdir=" + folder, "--epochs=3", "--batch=100");

    assertThat(first.exitCode()).as(first.err()).isZero();
    Matcher result = RESULT.matcher(first.out());
    assertThat(result.find()).as(first.out()).isTrue();
    assertThat(result.group(1)).isEqualTo("120");
    assertThat(Double.parseDouble(result.group(2))).isGreaterThan(82);
    assertThat(Double.parseDouble(result.group(3))).isGreaterThan(0.87);
    assertThat(CommandOutcome.of("events", folder.toString()).out()).contains("loss");

    CommandOutcome second =
        CommandOutcome.of("census", "--logdir=" + folder, "--epochs=3", "--batch=100");

    assertThat(second.out()).contains(result.group());
  }

  @Test
  void data_filesOfTheArchive_areReadWithTheirOddities() throws Exception {
    String row =
        "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family,"
            + " White, Male, 2174, 0, 40, United-States, ";
    Files.writeString(folder.resolve("adult.data"), row + "<=50K\n" + row + ">50K\n\n");
    Files.writeString(folder.resolve("adult.test"), "|1x3 Cross validator\n" + row + ">50K.\n\n");

    CensusData data = CensusData.read(folder);

    assertThat(data.training().labels()).containsExactly(0, 1);
    assertThat(data.test().labels()).containsExactly(1);
    assertThat((float[]) data.test().features().get("age")).containsExactly(39);
    assertThat((String[]) data.test().features().get("native_country"))
        .containsExactly("United-States");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          39, State-gov | wanted 15 fields, got 2
          x, S, 1, B, 13, N, A, N, W, M, 0, 0, 40, U, >50K | age must be a number, got 'x'
          39, S, 1, B, 13, N, A, N, W, M, 0, 0, 40, U, 50K | the last field must be
          '' | has no rows
          """)
  void parse_wrongRow_isRefused(String row, String message) {
    assertThatThrownBy(() -> CensusRows.parse("a file", List.of(row)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("a file")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "--epochs=0, --epochs must be",
    "--batch=0, --batch must be",
    "--workers=0, --workers must be",
    "--ps=-1, --ps must be",
    "--data=/no/such/folder, /no/such/folder/adult.data",
  })
  void census_wrongOptions_areRefused(String option, String message) {
    CommandOutcome outcome = CommandOutcome.of("census", option);

    assertThat(outcome.exitCode()).isIn(1, 2);
    assertThat(outcome.err()).contains(message);
  }
}
