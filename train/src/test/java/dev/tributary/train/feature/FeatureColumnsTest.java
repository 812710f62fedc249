package dev.tributary.train.feature;

import static dev.tributary.train.feature.FeatureColumns.bucketized;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithHashBucket;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithIdentity;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithVocabularyFile;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithVocabularyList;
import static dev.tributary.train.feature.FeatureColumns.crossed;
import static dev.tributary.train.feature.FeatureColumns.crossedWithHashKey;
import static dev.tributary.train.feature.FeatureColumns.embedding;
import static dev.tributary.train.feature.FeatureColumns.indicator;
import static dev.tributary.train.feature.FeatureColumns.makeParseExampleSpec;
import static dev.tributary.train.feature.FeatureColumns.numeric;
import static dev.tributary.train.feature.FeatureColumns.sharedEmbeddings;
import static dev.tributary.train.feature.FeatureColumns.weightedCategorical;
import static dev.tributary.train.feature.FeatureColumns.withUnknownAs;
import static dev.tributary.train.feature.FeatureColumns.withUnknownBuckets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Columns give TensorFlow's numbers, names and parse specs. */
@NoLeaks
@Timeout(60)
class FeatureColumnsTest {
  @TempDir Path folder;

  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  private VariableScope scope() {
    return VariableScope.of(tf).open("layer").withPartitioner(Partitioner.fixedSize(2, 0));
  }

  private float[] floats(Output output) {
    try (Session session = Session.local(tf.graph())) {
      session.run(Variables.globalInitializer(tf));
      session.run(tf.lookup.tablesInitializer());
      return session.fetch(output).toFloats();
    }
  }

  private float[] layer(Features features, FeatureColumn... columns) {
    return floats(InputLayer.of(scope(), features, List.of(columns)));
  }

  private long[] ids(CategoricalColumn column, Features features) {
    Output found = column.ids(new ColumnInputs(tf, features)).ids().values();
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.lookup.tablesInitializer());
      return session.fetch(found).toLongs();
    }
  }

  private Features strings(String... values) {
    return Features.none().and("s", tf.constant(values));
  }

  private Features numbers(float... values) {
    return Features.none().and("n", tf.constant(values));
  }

  /** Two examples: red and red green; none. */
  private SparseTensor tags() {
    return new SparseTensor(
        tf.constant(Shape.of(3, 2), 0L, 0, 0, 1, 0, 2),
        tf.constant("red", "green", "red"),
        tf.constant(2L, 3));
  }

  // ---- columns ----

  @Test
  void numeric_normalizedAndOfAShape_isFlattened() {
    Features features = Features.none().and("n", tf.constant(Shape.of(2, 2), 1, 2, 3, 4));

    assertThat(
            layer(
                features,
                numeric("n")
                    .withShape(2)
                    .withType(DataType.INT32)
                    .withNormalizer((ops, x) -> ops.mul(x, x))))
        .containsExactly(1, 4, 9, 16);
  }

  @Test
  void bucketized_boundaries_belongAbove() {
    CategoricalColumn column = bucketized(numeric("n"), 0, 10);

    assertThat(layer(numbers(-1, 0, 10), column)).containsExactly(1, 0, 0, 0, 1, 0, 0, 0, 1);
    assertThat(ids(column, numbers(-1, 0, 10))).containsExactly(0, 1, 2);
    assertThat(column.buckets()).isEqualTo(3);
  }

  @Test
  void bucketized_ofTwoNumbers_numbersTheSecondBehindTheFirst() {
    CategoricalColumn column = bucketized(numeric("n").withShape(2), 0);
    Features features = Features.none().and("n", tf.constant(Shape.of(2, 2), -1f, 1, 1, -1));

    assertThat(ids(column, features)).containsExactly(0, 3, 1, 2);
    assertThat(column.buckets()).isEqualTo(4);
  }

  @Test
  void identity_outOfRange_failsOrIsTheDefault() {
    Features features = Features.none().and("n", tf.constant(1L, -1, 7));

    assertThat(ids(categoricalWithIdentity("n", 5, 0), features)).containsExactly(1, 0);
    assertThatThrownBy(() -> ids(categoricalWithIdentity("n", 5), features))
        .hasMessageContaining("column n: ids must be from 0 to 4, got");
  }

  @Test
  void vocabularyList_unknownWords_areTreatedAsAsked() {
    CategoricalColumn column = categoricalWithVocabularyList("s", "a", "b");

    assertThat(ids(column, strings("b", "", "x", "a"))).containsExactly(1, -1, 0);
    assertThat(ids(withUnknownAs(column, 1), strings("x", "a"))).containsExactly(1, 0);
    assertThat(ids(withUnknownBuckets(column, 3), strings("x", "a"))[0]).isBetween(2L, 4L);
  }

  @Test
  void vocabularyList_ofNumbers_isLookedUp() {
    CategoricalColumn column = categoricalWithVocabularyList("n", 100L, 7L);

    assertThat(ids(column, Features.none().and("n", tf.constant(7, 100, -1))))
        .containsExactly(1, 0);
  }

  @Test
  void vocabularyFile_firstLines_areUsed() throws Exception {
    Path file = Files.writeString(folder.resolve("words"), "a\nb\nc\n");

    assertThat(ids(categoricalWithVocabularyFile("s", file), strings("c", "x")))
        .containsExactly(2, -1);
    assertThat(ids(categoricalWithVocabularyFile("s", file, 2), strings("c", "b")))
        .containsExactly(-1, 1);
  }

  /** Fingerprint64("a") is 12917804110809363939, of "hello" 13009744463427800296. */
  @Test
  void hashBucket_stringsAndNumbers_areStocks() {
    assertThat(ids(categoricalWithHashBucket("s", 1000), strings("a", "hello")))
        .containsExactly(939, 296);
    assertThat(
            ids(
                categoricalWithHashBucket("n", 1000, DataType.INT64),
                Features.none().and("n", tf.constant(12L, 7))))
        .isEqualTo(ids(categoricalWithHashBucket("s", 1000), strings("12", "7")));
  }

  @Test
  void crossed_strings_areStocks() {
    Features features =
        Features.none()
            .and("x", tf.constant("batch1-FC1-F1"))
            .and("y", tf.constant("batch1-FC2-F1"))
            .and("z", tf.constant("batch1-FC3-F1"));
    Features rows = rows(features);

    assertThat(ids(crossed(100, "x", "y", "z"), rows)).containsExactly(83);
    assertThat(ids(crossedWithHashKey(100, 0xDECAFCAFFFL, "x", "y", "z"), rows))
        .containsExactly(31);
  }

  private Features rows(Features scalars) {
    Features rows = Features.none();
    for (String name : scalars.names()) {
      rows = rows.and(name, tf.reshape(scalars.dense(name), 1));
    }
    return rows;
  }

  @Test
  void crossed_ofBuckets_takesThemLast() {
    CategoricalColumn buckets = bucketized(numeric("n"), 0, 1, 2);
    Features features =
        Features.none()
            .and("s", tf.constant(new String[] {"a"}))
            .and("n", tf.constant(5f).asOutput());
    Features rows = rows(features.and("s", tf.reshape(features.dense("s"))));

    assertThat(ids(crossed(1000, "s", buckets), rows))
        .isEqualTo(ids(crossed(1000, buckets, "s"), rows))
        .hasSize(1);
  }

  @Test
  void indicator_counts_duplicatesAndWeights() {
    CategoricalColumn colours = categoricalWithVocabularyList("t", "red", "green", "blue");
    SparseTensor tags = tags();
    SparseTensor weights =
        new SparseTensor(tags.indices(), tf.constant(0.5f, 2, 0.25f), tags.shape());
    Features features = Features.none().and("t", tags).and("w", weights);

    assertThat(layer(features, indicator(colours))).containsExactly(2, 1, 0, 0, 0, 0);
    assertThat(layer(features, indicator(weightedCategorical(colours, "w"))))
        .containsExactly(0.75f, 2, 0, 0, 0, 0);
  }

  @Test
  void embedding_combiners_meanSumAndSqrtN() {
    CategoricalColumn colours = categoricalWithVocabularyList("t", "red", "green", "blue");
    Features features = Features.none().and("t", tags());
    EmbeddingColumn rows = embedding(colours, 1).withInitializer(Initializers.constant(3));

    assertThat(layer(features, rows)).containsExactly(3, 0);
    assertThat(layer(features, rows.withCombiner(Combiner.SUM))).containsExactly(9, 0);
    assertThat(layer(features, rows.withCombiner(Combiner.SQRTN))[0])
        .isCloseTo((float) (9 / Math.sqrt(3)), Offset.offset(1e-5f));
    assertThat(layer(features, rows.withMaxNorm(1))).containsExactly(1, 0);
  }

  @Test
  void embedding_partitioned_hasSparseGradients() {
    Features features = Features.none().and("t", tags());
    CategoricalColumn colours = categoricalWithHashBucket("t", 100);
    Output inputs = InputLayer.of(scope(), features, List.of(embedding(colours, 4)));

    List<GradientAndVariable> gradients =
        new GradientDescentOptimizer(1).computeGradients(tf, tf.sum(inputs, 0, 1));

    assertThat(gradients).hasSize(2);
    assertThat(gradients).allMatch(pair -> pair.gradient() instanceof IndexedSlices);
  }

  @Test
  void sharedEmbeddings_ofTwoColumns_haveOneTable() {
    List<EmbeddingColumn> shared =
        sharedEmbeddings(
            List.of(categoricalWithIdentity("b", 4), categoricalWithIdentity("a", 4)), 2);
    Features features = Features.none().and("a", tf.constant(1L, 2)).and("b", tf.constant(1L, 2));

    Output inputs =
        InputLayer.of(
            scope().withPartitioner(Partitioner.fixedSize(1, 0)), features, List.copyOf(shared));

    assertThat(Variables.trainable(tf.graph()))
        .singleElement()
        .satisfies(
            variable ->
                assertThat(variable.name())
                    .isEqualTo("layer/a_b_shared_embedding/embedding_weights/part_0"));
    float[] values = floats(inputs);
    assertThat(values[0]).isEqualTo(values[2]);
  }

  // ---- layers ----

  @Test
  void inputLayer_columns_areSortedByName() {
    Features features = numbers(5).and("a", tf.constant(7f, 7).asOutput());

    assertThat(
            layer(
                Features.none().and("n", tf.constant(5f, 6)).and("a", tf.constant(7f, 8)),
                numeric("n"),
                numeric("a")))
        .containsExactly(7, 5, 8, 6);
    assertThat(features.names()).containsExactly("a", "n");
  }

  @Test
  void linearModel_weights_areSummedWithTheBias() {
    Features features = Features.none().and("t", tags()).and("n", tf.constant(2f, 3));
    CategoricalColumn colours = categoricalWithVocabularyList("t", "red", "green");
    Output logits = LinearModel.of(1).apply(scope(), features, List.of(numeric("n"), colours));
    try (Session session = Session.local(tf.graph())) {
      session.run(Variables.globalInitializer(tf));
      session.run(tf.lookup.tablesInitializer());
      for (var variable : Variables.global(tf.graph())) {
        session.run(variable.assign(tf.onesLike(variable.value())));
      }
      assertThat(session.fetch(logits).toFloats()).containsExactly(2 + 3 + 1, 3 + 1);
    }
  }

  // ---- names and specs ----

  @Test
  void names_ofColumns_areStocks() {
    CategoricalColumn job = categoricalWithHashBucket("job", 10);
    CategoricalColumn age = bucketized(numeric("age"), 1);

    assertThat(age.name()).isEqualTo("age_bucketized");
    assertThat(indicator(job).name()).isEqualTo("job_indicator");
    assertThat(embedding(job, 2).name()).isEqualTo("job_embedding");
    assertThat(weightedCategorical(job, "w").name()).isEqualTo("job_weighted_by_w");
    assertThat(crossed(9, "z", age, crossed(5, "b", "c")).name())
        .isEqualTo("age_bucketized_X_b_X_c_X_z");
  }

  @Test
  void makeParseExampleSpec_ofColumns_hasAllFeatures() {
    CategoricalColumn age = bucketized(numeric("age").withDefaultValue(3), 1);
    FeatureSpec spec =
        makeParseExampleSpec(
            List.of(
                age,
                crossed(5, age, "job"),
                weightedCategorical(categoricalWithIdentity("n", 5), "w")));

    assertThat(spec.features().keySet()).containsExactly("age", "job", "n", "w");
    assertThat(spec.features().get("age").shape()).contains(Shape.of(1));
    assertThat(spec.features().get("age").defaultValue().orElseThrow().floatValue()).isEqualTo(3);
    assertThat(spec.features().get("n").type()).isEqualTo(DataType.INT64);
    assertThat(spec.features().get("n").shape()).isEmpty();
  }

  // ---- mistakes ----

  @Test
  void columns_thatCannotBe_sayWhy() {
    CategoricalColumn job = categoricalWithHashBucket("job", 10);

    requireFailure(() -> categoricalWithHashBucket("x", 0), "needs 1 bucket or more, got 0");
    requireFailure(() -> bucketized(numeric("n"), 2, 1), "must rise, got 2.0 before 1.0");
    requireFailure(() -> crossed(5, "a"), "a cross needs 2 keys or more");
    requireFailure(() -> crossed(5, "a", job), "without hash buckets, got 'job'");
    requireFailure(() -> categoricalWithVocabularyList("s", "a", "a"), "has a word twice");
    requireFailure(() -> withUnknownAs(job, 0), "'job' has none");
    requireFailure(
        () -> makeParseExampleSpec(List.of(numeric("job"), job)),
        "feature 'job' is wanted as dense float [1] and as sparse string");
    requireFailure(
        () -> layer(strings("a"), categoricalWithHashBucket("s", 3)),
        "a network takes no categorical column 's'");
    requireFailure(
        () -> layer(numbers(1), numeric("n"), numeric("n").withShape(2)),
        "two feature columns of a network have the name 'n'");
  }

  @Test
  void features_thatDoNotMatch_sayWhy() {
    requireFailure(() -> layer(numbers(1), numeric("m")), "no feature 'm'; the input has [n]");
    requireFailure(
        () -> layer(strings("a"), numeric("s")), "needs numbers, got feature 's' of strings");
    requireFailure(
        () -> layer(numbers(1, 2), numeric("n").withShape(3)),
        "expects examples of shape [3], got a batch of shape [2,1]");
    requireFailure(() -> layer(Features.none().and("t", tags()), numeric("t")), "got a sparse one");
    requireFailure(
        () -> ids(categoricalWithHashBucket("n", 5), numbers(1)), "hashes string, got float");
    requireFailure(
        () -> layer(Features.none().and("n", tf.constant(1f)), numeric("n")),
        "is a scalar, wanted a batch");
  }

  private static void requireFailure(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(TributaryException.class).hasMessageContaining(message);
  }
}
