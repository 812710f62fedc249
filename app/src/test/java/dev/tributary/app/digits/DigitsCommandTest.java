package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The digits command as a person types it: what it learns, and what it says when something is
 * wrong.
 */
@Timeout(300)
@Tag("slow")
class DigitsCommandTest {
  private static final Pattern ACCURACY = Pattern.compile("test accuracy ([0-9.]+) %");

  @Test
  void digits_embeddedData_areRecognised() {
    CommandOutcome outcome = run("digits", "--epochs", "12");

    assertThat(outcome.exitCode()).isZero();
    Matcher accuracy = ACCURACY.matcher(outcome.out());
    assertThat(accuracy.find()).as(outcome.out()).isTrue();
    assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThanOrEqualTo(97);
    assertThat(outcome.out()).contains("1,437 images to learn from, 360 to be tested on");
  }

  @Test
  void digits_logdir_getsValidationAndStaleness(@TempDir Path logdir) {
    CommandOutcome outcome = run("digits", "--epochs", "5", "--logdir", logdir.toString());

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("after 100 training steps, validation accuracy using the");
    String tags = run("events", logdir.toString()).out();
    assertThat(tags).contains("validation_accuracy", "staleness", "staleness_mean");
    assertThat(tags).contains("loss: 115 points", "learning_rate: 115 points");
  }

  @Test
  void digits_lossThatIsNotANumber_failWithAMessage() {
    CommandOutcome outcome = run("digits", "--epochs", "1", "--rate", "1e30");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("the loss is NaN at step 2", "--rate")
        .doesNotContain("\tat ");
    assertThat(outcome.out()).doesNotContain("test accuracy");
  }

  @Test
  void digits_finishedRun_saySoAndMakeNoStep(@TempDir Path logdir) throws Exception {
    String[] same = {"digits", "--epochs", "1", "--logdir", logdir.toString()};
    String first = run(same).out();
    Set<String> checkpoints = checkpoints(logdir);

    CommandOutcome again = run(same);

    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out()).contains("already finished at step 23", accuracyOf(first));
    assertThat(again.out()).doesNotContain(" steps in ");
    assertThat(checkpoints(logdir)).isEqualTo(checkpoints);

    String[] longer = {"digits", "--epochs", "2", "--logdir", logdir.toString()};
    assertThat(run(longer).out()).contains("continues at step 23 of 46", "23 steps in");
  }

  @Test
  void digits_damagedCheckpoints_areKeptUntilToldToStartOver(@TempDir Path logdir)
      throws Exception {
    String[] same = {"digits", "--epochs", "1", "--logdir", logdir.toString()};
    assertThat(run(same).exitCode()).isZero();
    try (DirectoryStream<Path> indexes = Files.newDirectoryStream(logdir, "*.index")) {
      for (Path index : indexes) {
        Files.write(index, new byte[7]);
      }
    }

    CommandOutcome refused = run(same);

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("--start-over");

    CommandOutcome over =
        run("digits", "--epochs", "1", "--logdir", logdir.toString(), "--start-over");

    assertThat(over.exitCode()).as(over.err()).isZero();
    assertThat(over.out()).contains("starts over", "earlier-", "23 steps in");
  }

  @Test
  void digits_notATerminal_printPlainLines() {
    CommandOutcome outcome = run("digits", "--epochs", "1");

    assertThat(outcome.err()).doesNotContain("\r", "\u001b");
    assertThat(outcome.err()).contains("preparing the model", "step 23 of 23 (100 %), loss ");
  }

  @Test
  void digits_sameSeed_giveTheSameLoss() {
    String first = run("digits", "--epochs", "1", "--seed", "5").out();
    String second = run("digits", "--epochs", "1", "--seed", "5").out();

    assertThat(lossOf(first)).isEqualTo(lossOf(second));
  }

  @Test
  void digits_eitherBackend_learn() {
    for (String backend : new String[] {"java", "onednn"}) {
      CommandOutcome outcome = run("digits", "--epochs", "1", "--backend=" + backend);

      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out()).contains("test accuracy");
    }
  }

  @Test
  void digits_idxFiles_areRead(@TempDir Path folder) throws Exception {
    IdxSamples.write(folder, "train", 64, true);
    IdxSamples.write(folder, "t10k", 16, false);

    CommandOutcome outcome =
        run("digits", "--data", folder.toString(), "--epochs", "1", "--batch", "16");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("64 images to learn from, 16 to be tested on");
  }

  @Test
  void digits_missingFiles_areNamed(@TempDir Path folder) {
    CommandOutcome outcome = run("digits", "--data", folder.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("train-labels-idx1-ubyte").doesNotContain("\tat ");
  }

  @Test
  void digits_truncatedFile_isRefused(@TempDir Path folder) throws Exception {
    IdxSamples.write(folder, "train", 8, false);
    IdxSamples.write(folder, "t10k", 8, false);
    Path images = folder.resolve("train-images-idx3-ubyte");
    byte[] whole = Files.readAllBytes(images);
    Files.write(images, java.util.Arrays.copyOf(whole, whole.length - 1));

    assertThat(run("digits", "--data", folder.toString()).err()).contains("ends too early");
  }

  @Test
  void digits_wrongOptions_areRefused() {
    assertThat(run("digits", "--batch", "0").err()).contains("--batch must be 1 or more, got 0");
    assertThat(run("digits", "--batch", "0").exitCode()).isEqualTo(2);
    assertThat(run("digits", "--batch", "many").exitCode()).isEqualTo(2);
    assertThat(run("digits", "--workers", "0").err()).contains("--workers must be 1 or more");
    assertThat(run("digits", "--cluster={\"a\": [\"localhost:0\"]}", "--job=a").err())
        .contains("needs the jobs ps and worker, got [a]");
    assertThat(run("digits", "--workers", "2", "--consistency", "ssp").err())
        .contains("consistency 'ssp'; wanted sync, sync+backup(K), ssp(N) or async");
    assertThat(run("digits", "--workers", "2", "--sync", "--consistency", "async").err())
        .contains("--sync says");
    assertThat(run("digits", "--workers", "2", "--issync=1", "--consistency", "async").err())
        .contains("--issync 1 says");
    assertThat(run("digits", "--workers", "2", "--consistency", "sync+backup(2)").err())
        .contains("needs more workers than backups, got 2");
    assertThat(run("digit").exitCode()).isEqualTo(2);
    assertThat(run().err()).contains("tributary digits");
  }

  @Test
  void help_commands_areListed() {
    assertThat(run("--help").out()).contains("digits", "server", "devices");
    assertThat(run("digits", "--help").out())
        .contains("--data", "--epochs", "--seed", "--consistency");
  }

  private static Set<String> checkpoints(Path logdir) throws IOException {
    try (Stream<Path> files = Files.list(logdir)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("model.ckpt"))
          .collect(Collectors.toSet());
    }
  }

  private static String accuracyOf(String out) {
    return out.lines().filter(line -> line.startsWith("test accuracy")).findFirst().orElseThrow();
  }

  private static String lossOf(String out) {
    Matcher loss = Pattern.compile("last loss ([0-9.]+)").matcher(out);
    assertThat(loss.find()).isTrue();
    return loss.group(1);
  }

  private static CommandOutcome run(String... arguments) {
    return CommandOutcome.of(arguments);
  }
}
