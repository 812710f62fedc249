package dev.tributary.train.estimator;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.FeatureColumns;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Models begin with the variables of others. */
@NoLeaks
@Timeout(120)
class WarmStartTest {
  private static final String KERNEL = "dnn/hiddenlayer_0/kernel";
  private static final String LOGITS = "dnn/logits/kernel";

  @TempDir Path folder;

  private DnnClassifier model(String name) {
    return DnnClassifier.of(Points.COLUMNS, hiddenUnits(4), classes(2))
        .withOptimizer(() -> new GradientDescentOptimizer(0))
        .withModelDir(folder.resolve(name));
  }

  private DnnClassifier trained(String name) {
    DnnClassifier model = model(name);
    model.train(Points.input(-1), 1);
    return model;
  }

  @Test
  void warmStart_fromAFolder_setsAllVariables() {
    DnnClassifier old = trained("old");
    DnnClassifier warm = model("new").withWarmStart(WarmStart.from(old.modelDir()));

    Evaluation before = warm.evaluate(Points.input(1));
    warm.train(Points.input(-1), 1);

    assertThat(before.loss()).isEqualTo(old.evaluate(Points.input(1)).loss());
    assertThat(warm.variableValue(KERNEL).toFloats())
        .isEqualTo(old.variableValue(KERNEL).toFloats());
    assertThat(warm.variableValue("global_step").longValue()).isEqualTo(1);
  }

  @Test
  void warmStart_fromASavedModel_setsWhatIsSelected() {
    DnnClassifier old = trained("old");
    Path exported =
        old.exportSavedModel(
            folder.resolve("export"), ServingInputReceiver.raw(FeatureSpec.of(Points.COLUMNS)));
    DnnClassifier warm =
        model("new").withWarmStart(WarmStart.from(exported).withVariables("dnn/hiddenlayer"));

    warm.train(Points.input(-1), 1);

    assertThat(warm.variableValue(KERNEL).toFloats())
        .isEqualTo(old.variableValue(KERNEL).toFloats());
    assertThat(warm.variableValue(LOGITS).toFloats())
        .isNotEqualTo(old.variableValue(LOGITS).toFloats());
  }

  @Test
  void warmStart_withACheckpointOfItsOwn_isIgnored() {
    DnnClassifier old = trained("old");
    DnnClassifier own = trained("own");
    float[] kernel = own.variableValue(KERNEL).toFloats();

    own.withWarmStart(WarmStart.from(old.modelDir())).train(Points.input(-1), 1);

    assertThat(own.variableValue(KERNEL).toFloats()).isEqualTo(kernel);
  }

  @Test
  void warmStart_vocabulary_movesRows() throws Exception {
    Path oldWords = Files.writeString(folder.resolve("old.txt"), "a\nb\nc\n");
    Path newWords = Files.writeString(folder.resolve("new.txt"), "c\nx\na\n");
    LinearClassifier old = words(oldWords, "old-words");
    old.train(labelled("a", "c"), 3);
    String weights = "linear/linear_model/word/weights";
    float[] before = old.variableValue(weights).toFloats();

    LinearClassifier warm =
        words(newWords, "new-words")
            .withOptimizer(() -> new GradientDescentOptimizer(0))
            .withWarmStart(
                WarmStart.from(old.modelDir())
                    .withVocabulary(weights, VocabularyChange.of(oldWords, newWords)));
    warm.train(labelled("a", "c"), 1);

    assertThat(before[0]).isNotZero();
    assertThat(warm.variableValue(weights).toFloats()).containsExactly(before[2], 0, before[0]);
  }

  private LinearClassifier words(Path file, String name) {
    FeatureColumn word = FeatureColumns.categoricalWithVocabularyFile("word", file);
    return LinearClassifier.of(List.of(word), classes(2)).withModelDir(folder.resolve(name));
  }

  private static InputFunction labelled(String first, String second) {
    return InputFunction.of(
        () ->
            Dataset.zip(
                    Dataset.tensorSlices(Map.of("word", new String[] {first, second})),
                    Dataset.tensorSlices(new int[] {0, 1}))
                .repeat()
                .batch(2));
  }

  @Test
  void warmStart_thatDoesNotFit_saysWhy() {
    DnnClassifier old = trained("old");

    assertThatThrownBy(
            () ->
                model("new")
                    .withWarmStart(WarmStart.from(folder.resolve("nothing")))
                    .train(Points.input(-1), 1))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("is no checkpoint");
    assertThatThrownBy(
            () ->
                model("new")
                    .withWarmStart(WarmStart.from(old.modelDir()).withPreviousName("no/such", "w"))
                    .train(Points.input(-1), 1))
        .hasMessageContaining("no/such");
    assertThatThrownBy(
            () ->
                DnnClassifier.of(Points.COLUMNS, hiddenUnits(5), classes(2))
                    .withModelDir(folder.resolve("other"))
                    .withWarmStart(WarmStart.from(old.modelDir()))
                    .train(Points.input(-1), 1))
        .hasMessageContaining("with shape [2,4], wanted [2,5]");
  }
}
