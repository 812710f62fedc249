package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A network that was trained: tested and used from its logdir. */
@Timeout(120)
class DigitsModelTest {
  private static final int SIDE = 8;

  @TempDir static Path logdir;
  private static String trained;

  @TempDir Path folder;

  @BeforeAll
  static void train() {
    CommandOutcome outcome = run("digits", "--epochs", "6", "--logdir", logdir.toString());
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    trained = outcome.out();
  }

  @Test
  void evaluate_logdir_tellsAccuracyAndStep() {
    CommandOutcome outcome = run("digits", "--evaluate", "--logdir", logdir.toString());

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    String accuracy = trained.lines().reduce((first, last) -> last).orElseThrow();
    assertThat(outcome.out().strip()).endsWith("model.ckpt-138, step 138: " + accuracy);
  }

  @Test
  void predict_imagesOfTheTest_areRecognised() throws Exception {
    ImageSet test = DigitData.embedded().test();
    List<String> command =
        new ArrayList<>(List.of("digits", "--logdir", logdir.toString(), "--predict"));
    for (int i = 0; i < 20; i++) {
      command.add(write("same" + i + ".png", test.slice(i, i + 1), 1, false));
      command.add(write("large" + i + ".png", test.slice(i, i + 1), 9, true));
    }

    CommandOutcome outcome = run(command.toArray(new String[0]));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    int right = 0;
    List<String> lines = outcome.out().lines().toList();
    assertThat(lines).hasSize(40);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).matches(".*(same|large)[0-9]+\\.png: [0-9] \\([0-9] [0-9.]+ %.*\\)");
      right += lines.get(i).contains(".png: " + test.labels()[i / 2] + " (") ? 1 : 0;
    }
    assertThat(right).as(outcome.out()).isGreaterThanOrEqualTo(36);
  }

  @Test
  void model_imagesOfAnotherSize_areRefused() throws Exception {
    IdxSamples.write(folder, "train", 8, false);
    IdxSamples.write(folder, "t10k", 8, false);

    CommandOutcome outcome =
        run("digits", "--evaluate", "--logdir", logdir.toString(), "--data", folder.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("images of 8 x 8 pixels, these are 20 x 20", "--data");
  }

  @Test
  void model_nothingToRestore_isToldFromNoFolder() {
    CommandOutcome empty = run("digits", "--evaluate", "--logdir", folder.toString());
    assertThat(empty.exitCode()).isEqualTo(1);
    assertThat(empty.err()).contains("no checkpoint in " + folder, "train first");

    Path none = folder.resolve("none");
    CommandOutcome missing = run("digits", "--predict", "x.png", "--logdir", none.toString());
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).contains(none + " is not a folder");
  }

  @Test
  void predict_noSuchFile_isNamed() {
    CommandOutcome outcome = run("digits", "--predict", "no.png", "--logdir", logdir.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("no.png").doesNotContain("\tat ");
  }

  /** Writes an image, each pixel as a square, with a margin if it is dark on light. */
  private String write(String name, ImageSet image, int scale, boolean isInverted)
      throws Exception {
    int margin = isInverted ? 11 : 0;
    int side = SIDE * scale + 2 * margin;
    byte[] samples = new byte[side * side];
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x++) {
        int row = Math.floorDiv(y - margin, scale);
        int column = Math.floorDiv(x - margin, scale);
        boolean isInside = row >= 0 && row < SIDE && column >= 0 && column < SIDE;
        float ink = isInside ? image.pixels()[row * SIDE + column] : 0;
        samples[y * side + x] = (byte) Math.round(255 * (isInverted ? 1 - ink : ink));
      }
    }
    byte[] content = PngImages.encode(new Pixels(side, side, 1, samples), -1);
    return Files.write(folder.resolve(name), content).toString();
  }

  private static CommandOutcome run(String... arguments) {
    return CommandOutcome.of(arguments);
  }
}
