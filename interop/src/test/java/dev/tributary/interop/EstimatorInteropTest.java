package dev.tributary.interop;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;
import static dev.tributary.train.feature.FeatureColumns.bucketized;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithHashBucket;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithIdentity;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithVocabularyFile;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithVocabularyList;
import static dev.tributary.train.feature.FeatureColumns.crossed;
import static dev.tributary.train.feature.FeatureColumns.embedding;
import static dev.tributary.train.feature.FeatureColumns.indicator;
import static dev.tributary.train.feature.FeatureColumns.numeric;
import static dev.tributary.train.feature.FeatureColumns.withUnknownBuckets;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.estimator.DnnClassifier;
import dev.tributary.train.estimator.DnnLinearCombinedClassifier;
import dev.tributary.train.estimator.DnnRegressor;
import dev.tributary.train.estimator.Estimator;
import dev.tributary.train.estimator.InputFunction;
import dev.tributary.train.estimator.LinearClassifier;
import dev.tributary.train.estimator.RunConfig;
import dev.tributary.train.estimator.ServingInputReceiver;
import dev.tributary.train.estimator.TrainSpec;
import dev.tributary.train.feature.CategoricalColumn;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.feature.NumericColumn;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SessionRunValues;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.savedmodel.SavedModel;
import dev.tributary.train.savedmodel.Signature;
import dev.tributary.train.savedmodel.TensorInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FloatList;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.Int64List;

/** Ready-made estimators train in stock as here, and stock serves what they export. */
@RequiresStockTensorFlow
@NoLeaks
@Timeout(240)
class EstimatorInteropTest {
  private static final int EXAMPLES = 1000;
  private static final int STEPS = 50;
  private static final String[] WORDS = {"red", "green", "blue", "black", ""};

  private final Random random = new Random(5);
  private final float[] age = new float[EXAMPLES];
  private final String[] colour = new String[EXAMPLES];
  private final String[] job = new String[EXAMPLES];
  private final long[] rank = new long[EXAMPLES];
  private final int[] label = new int[EXAMPLES];

  @TempDir Path folder;

  /** The estimators under test. */
  enum Model {
    DNN_CLASSIFIER {
      @Override
      Estimator<?> of(Columns c) {
        return DnnClassifier.of(c.deep, hiddenUnits(16, 8), classes(2)).withBatchNorm();
      }
    },
    DNN_MULTI_CLASS {
      @Override
      Estimator<?> of(Columns c) {
        return DnnClassifier.of(c.deep, hiddenUnits(12), classes(3));
      }
    },
    LINEAR_CLASSIFIER {
      @Override
      Estimator<?> of(Columns c) {
        return LinearClassifier.of(c.wide, classes(2));
      }
    },
    WIDE_AND_DEEP {
      @Override
      Estimator<?> of(Columns c) {
        return DnnLinearCombinedClassifier.of(c.wide, c.deep, hiddenUnits(16, 8), classes(2));
      }
    },
    DNN_REGRESSOR {
      @Override
      Estimator<?> of(Columns c) {
        return DnnRegressor.of(c.deep, hiddenUnits(16));
      }
    };

    abstract Estimator<?> of(Columns columns);
  }

  private record Columns(List<FeatureColumn> wide, List<FeatureColumn> deep) {}

  @BeforeEach
  void draw() throws Exception {
    for (int i = 0; i < EXAMPLES; i++) {
      age[i] = random.nextInt(80);
      colour[i] = WORDS[random.nextInt(WORDS.length)];
      job[i] = "job" + random.nextInt(30);
      rank[i] = random.nextInt(5);
      label[i] = age[i] > 40 ^ rank[i] > 2 ? 1 : 0;
    }
  }

  private Columns columns() throws Exception {
    Path words = Files.writeString(folder.resolve("words.txt"), "red\ngreen\nblue\n");
    NumericColumn years = numeric("age").withNormalizer((tf, x) -> tf.math.scale(x, 0.02));
    CategoricalColumn decades = bucketized(numeric("age"), 10, 20, 30, 40, 50, 60, 70);
    CategoricalColumn colours =
        withUnknownBuckets(categoricalWithVocabularyFile("colour", words), 2);
    CategoricalColumn jobs = categoricalWithHashBucket("job", 50);
    CategoricalColumn ranks = categoricalWithIdentity("rank", 5);
    CategoricalColumn known = categoricalWithVocabularyList("colour", "blue", "black");
    return new Columns(
        List.of(
            decades,
            jobs,
            ranks,
            known,
            crossed(100, decades, "job"),
            crossed(50, "colour", ranks)),
        List.of(years, decades, indicator(colours), embedding(jobs, 4), embedding(ranks, 3)));
  }

  private InputFunction input() {
    return InputFunction.of(
        () ->
            Dataset.zip(
                    Dataset.tensorSlices(
                        Map.of("age", age, "colour", colour, "job", job, "rank", rank)),
                    Dataset.tensorSlices(label))
                .repeat()
                .batch(40));
  }

  private Estimator<?> trained(Model model, SessionRunHook... hooks) throws Exception {
    Estimator<?> estimator = model.of(columns()).withModelDir(folder.resolve("model"));
    estimator = estimator.withConfig(RunConfig.defaults().withSeed(3));
    TrainSpec spec = TrainSpec.of(input()).withSteps(STEPS);
    for (SessionRunHook hook : hooks) {
      spec = spec.withHook(hook);
    }
    estimator.train(spec);
    return estimator;
  }

  // ---- training ----

  @ParameterizedTest
  @EnumSource(Model.class)
  void training_ofFiftySteps_hasStocksLosses(Model model) throws Exception {
    Trace trace = new Trace();
    trained(model, trace);

    assertThat(trace.losses).hasSize(STEPS);
    try (StockSession stock = new StockSession(trace.graph);
        Tensor start = Tensor.scalar(folder.resolve("model/model.ckpt-0").toString())) {
      stock.run(Map.of("save/Const:0", start), List.of(), List.of("save/restore_all"));
      stock.runTargets(trace.initializers.toArray(new String[0]));
      for (int i = 0; i < STEPS; i++) {
        List<Tensor> got = stock.run(Map.of(), List.of(trace.loss), List.of(trace.train));
        try (Tensor loss = got.get(0)) {
          float ours = trace.losses.get(i);
          assertThat(loss.floatValue())
              .as("loss of step %d", i)
              .isCloseTo(ours, Offset.offset(1e-4f * Math.max(1, Math.abs(ours))));
        }
      }
    }
  }

  /** Takes down the graph of a training, and the loss of each step. */
  private static final class Trace implements SessionRunHook {
    final List<Float> losses = new ArrayList<>();
    final List<String> initializers = new ArrayList<>();
    GraphDef graph;
    String loss;
    String train;

    @Override
    public void afterCreateSession(Session session, Coordinator coordinator) {
      graph = GraphDefs.toProto(session.graph());
      for (Operation operation : session.graph().operations()) {
        boolean begins =
            operation.type().equals("MakeIterator")
                || operation.type().startsWith("InitializeTable");
        if (begins) {
          initializers.add(operation.name());
        }
      }
    }

    @Override
    public SessionRunArgs beforeRun(SessionRunContext context) {
      Output fetched = context.originalArgs().fetches().get(0);
      loss = fetched.name();
      train = context.originalArgs().targets().get(0).name();
      return SessionRunArgs.fetching(fetched);
    }

    @Override
    public void afterRun(SessionRunContext context, SessionRunValues values) {
      losses.add(values.results().get(0).floatValue());
    }
  }

  // ---- exports ----

  @ParameterizedTest
  @EnumSource(Model.class)
  void export_ofExamples_hasStocksPredictions(Model model) throws Exception {
    Estimator<?> estimator = trained(model);
    Columns columns = columns();
    List<FeatureColumn> all = Stream.concat(columns.wide.stream(), columns.deep.stream()).toList();

    Path exported =
        estimator.exportSavedModel(
            folder.resolve("export"), ServingInputReceiver.parsing(FeatureSpec.of(all)));

    Files.delete(folder.resolve("words.txt"));
    try (SavedModel ours = SavedModel.load(exported);
        StockSession stock = StockSession.ofSavedModel(exported, "serve");
        Tensor examples = examples()) {
      assertThat(ours.signatures().keySet()).contains("serving_default", "predict");
      for (String key : ours.signatures().keySet()) {
        requireAlike(ours.signature(key), stock, examples);
      }
    }
  }

  private static void requireAlike(Signature signature, StockSession stock, Tensor examples) {
    String input = signature.inputs().keySet().iterator().next();
    List<String> outputs = List.copyOf(signature.outputs().keySet());
    List<String> fetches = signature.outputs().values().stream().map(TensorInfo::name).toList();
    List<Tensor> wanted =
        stock.run(Map.of(signature.inputs().get(input).name(), examples), fetches, List.of());
    try (StepResult result =
        signature.run(Map.of(input, examples), outputs, RunOptions.defaults())) {
      for (int i = 0; i < wanted.size(); i++) {
        requireAlike(outputs.get(i), result.get(i), wanted.get(i));
      }
    }
  }

  private static void requireAlike(String output, Tensor ours, Tensor stocks) {
    try (stocks) {
      assertThat(ours.shape()).as(output).isEqualTo(stocks.shape());
      assertThat(ours.shape().size(0)).as(output).isEqualTo(EXAMPLES);
      if (ours.type() == DataType.FLOAT) {
        assertThat(ours.toFloats())
            .as(output)
            .usingComparatorWithPrecision(1e-5f)
            .containsExactly(stocks.toFloats());
      } else if (ours.type() == DataType.STRING) {
        assertThat(ours.toStrings()).as(output).isEqualTo(stocks.toStrings());
      } else {
        assertThat(ours.toBytes()).as(output).isEqualTo(stocks.toBytes());
      }
    }
  }

  private Tensor examples() {
    Object[] serialized = new Object[EXAMPLES];
    for (int i = 0; i < EXAMPLES; i++) {
      Example.Builder example = Example.newBuilder();
      Feature.Builder years =
          Feature.newBuilder().setFloatList(FloatList.newBuilder().addValue(age[i]));
      example.getFeaturesBuilder().putFeature("age", years.build());
      example.getFeaturesBuilder().putFeature("colour", word(colour[i]));
      example.getFeaturesBuilder().putFeature("job", word(job[i]));
      Feature.Builder ranks =
          Feature.newBuilder().setInt64List(Int64List.newBuilder().addValue(rank[i]));
      example.getFeaturesBuilder().putFeature("rank", ranks.build());
      serialized[i] = example.build().toByteArray();
    }
    return Tensor.ofObjects(DataType.STRING, Shape.of(EXAMPLES), serialized);
  }

  private static Feature word(String text) {
    BytesList.Builder bytes = BytesList.newBuilder();
    if (!text.isEmpty()) {
      bytes.addValue(ByteString.copyFromUtf8(text));
    }
    return Feature.newBuilder().setBytesList(bytes).build();
  }
}
