package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The digits command with the strategies of one process. */
@Timeout(300)
@Tag("slow")
class DigitsStrategyTest {
  private static final Pattern ACCURACY = Pattern.compile("test accuracy ([0-9.]+) %");

  @Test
  void digits_mirrored_areRecognised() {
    CommandOutcome outcome =
        CommandOutcome.of("digits", "--epochs", "8", "--strategy", "mirrored", "--replicas", "4");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(accuracy(outcome)).isGreaterThanOrEqualTo(96);
  }

  @Test
  void digits_otherStrategyAfterACheckpoint_continueIt(@TempDir Path logdir) {
    String[] first = {"--epochs", "2", "--strategy", "mirrored"};
    String[] second = {"--epochs", "4", "--strategy", "central-storage", "--replicas", "3"};
    String[] third = {"--epochs", "5"};
    CommandOutcome mirrored = digits(logdir, first);
    CommandOutcome central = digits(logdir, second);
    CommandOutcome plain = digits(logdir, third);

    assertThat(mirrored.out()).contains("46 steps in");
    assertThat(central.out()).contains("continues at step 46 of 92");
    assertThat(plain.out()).contains("continues at step 92 of 115");
    assertThat(accuracy(plain)).isGreaterThan(accuracy(mirrored));
    CommandOutcome evaluated =
        CommandOutcome.of("digits", "--evaluate", "--logdir", logdir.toString());
    assertThat(accuracy(evaluated)).isEqualTo(accuracy(plain));
  }

  @Test
  void digits_batchThatReplicasCannotShareEqually_train() {
    CommandOutcome outcome =
        CommandOutcome.of(
            "digits",
            "--epochs",
            "1",
            "--batch",
            "50",
            "--strategy",
            "mirrored",
            "--replicas",
            "3");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
  }

  private static CommandOutcome digits(Path logdir, String... options) {
    String[] all = new String[options.length + 3];
    all[0] = "digits";
    all[1] = "--logdir";
    all[2] = logdir.toString();
    System.arraycopy(options, 0, all, 3, options.length);
    CommandOutcome outcome = CommandOutcome.of(all);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome;
  }

  private static double accuracy(CommandOutcome outcome) {
    Matcher accuracy = ACCURACY.matcher(outcome.out());
    assertThat(accuracy.find()).as(outcome.out()).isTrue();
    return Double.parseDouble(accuracy.group(1));
  }
}
