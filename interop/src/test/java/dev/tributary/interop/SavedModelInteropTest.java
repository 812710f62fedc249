package dev.tributary.interop;

import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.ops.TextFileColumns;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.SavedModelFolder;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.savedmodel.SavedModel;
import dev.tributary.train.savedmodel.Signature;
import dev.tributary.train.savedmodel.SignatureDef;
import dev.tributary.train.savedmodel.TensorInfo;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FloatList;

/**
 * SavedModels give the same values here and in stock: those that are laid out as stock's exporters
 * do, and those that we write.
 */
@RequiresStockTensorFlow
@NoLeaks
@Timeout(120)
class SavedModelInteropTest {
  @TempDir Path folder;

  // ---- as stock writes them ----

  @Test
  void model_ofTensorFlow1_givesStocksValues() {
    SavedModelFolder.halfPlusTwo(folder).write();

    requireAlike("serving_default", Map.of("x", Tensor.of(new float[] {1, -2, 1e6f})));
  }

  @Test
  void model_withReferenceVariables_givesStocksValues() {
    SavedModelFolder.reference(folder).write();

    requireAlike("serving_default", Map.of("x", Tensor.of(Shape.of(1, 2), new float[] {1, 2})));
  }

  @Test
  void model_ofTensorFlow2_givesStocksValues() {
    SavedModelFolder.dense(folder).write();

    requireAlike(
        "serving_default", Map.of("x", Tensor.of(Shape.of(2, 2), new float[] {1, 2, -30, 0.125f})));
  }

  /** A recurrent layer as Keras exports it: a loop over lists, which reads a variable. */
  @Test
  void model_withARecurrentLayer_givesStocksValues() {
    SavedModelFolder.dense(folder)
        .graph(
            function(
                "__inference_rnn_cond_11",
                "i:int32, n:int32, h:float, out:variant, in:variant, b:resource -> p:bool",
                "p=less:z:0",
                inner("less", "Less", "i, n", "T=int32")),
            function(
                "__inference_rnn_body_12",
                "i:int32, n:int32, h:float, out:variant, in:variant, b:resource"
                    + " -> i2:int32, n2:int32, h2:float, out2:variant, in2:variant, b2:resource",
                "i2=next:z:0, n2=n, h2=tanh:y:0, out2=set:output_handle:0, in2=in, b2=b",
                innerInt("one", 1),
                innerInt("any", -1),
                inner("next", "AddV2", "i, one:output:0", "T=int32"),
                inner("x", "TensorListGetItem", "in, i, any:output:0", "element_dtype=float"),
                inner("read", "ReadVariableOp", "b", "dtype=float"),
                inner("mul", "Mul", "h, read:value:0", "T=float"),
                inner("sum", "AddV2", "mul:z:0, x:item:0", "T=float"),
                inner("tanh", "Tanh", "sum:z:0", "T=float"),
                inner("set", "TensorListSetItem", "out, i, tanh:y:0", "element_dtype=float")),
            function(
                "__inference_rnn_13",
                "s:float, b:resource -> states:float",
                "states=stack:tensor:0",
                innerInt("any", -1),
                innerInt("zero", 0),
                inner(
                    "in",
                    "TensorListFromTensor",
                    "s, any:output:0",
                    "element_dtype=float",
                    "shape_type=int32"),
                inner("n", "TensorListLength", "in:output_handle:0"),
                inner(
                    "out",
                    "TensorListReserve",
                    "any:output:0, n:length:0",
                    "element_dtype=float",
                    "shape_type=int32"),
                inner("h", "ReadVariableOp", "b", "dtype=float"),
                inner(
                    "rnn",
                    "While",
                    "zero:output:0, n:length:0, h:value:0, out:handle:0, in:output_handle:0, b",
                    "T=[int32, int32, float, variant, variant, resource]",
                    "cond=@__inference_rnn_cond_11",
                    "body=@__inference_rnn_body_12",
                    "_lower_using_switch_merge=true"),
                inner(
                    "stack",
                    "TensorListStack",
                    "rnn:output:3, any:output:0",
                    "element_dtype=float"),
                controlRet("rnn", "rnn")),
            SavedModelFolder.floats("serving_default_s", "-1, 3"),
            node(
                "states",
                "StatefulPartitionedCall",
                "serving_default_s, dense/bias",
                "f=@__inference_rnn_13",
                "Tin=[float, resource]",
                "Tout=[float]"))
        .signature("states", "s=serving_default_s:0 float -1,3", "states=states:0 float -1,3")
        .write();

    requireAlike(
        "states",
        Map.of("s", Tensor.of(Shape.of(3, 3), new float[] {1, 2, -3, 0.5f, 99, 0, -1, 0, 0.25f})));
  }

  @Test
  void model_withVocabulary_givesStocksValues() {
    SavedModelFolder.vocabulary(folder).initSignature("init").write();

    requireAlike("serving_default", Map.of("words", Tensor.of("fox", "the", "dog")));
  }

  @Test
  void model_ofAnEstimator_givesStocksValues() {
    SavedModelFolder.estimator(folder).write();

    requireAlike("scores", Map.of("inputs", examples()));
    requireAlike("tags", Map.of("inputs", examples()));
  }

  private static Tensor examples() {
    return Tensor.ofObjects(
        DataType.STRING,
        Shape.of(3),
        example("fox", 1.5f, "the", "cat").toByteArray(),
        example("unheard", -2, "quick").toByteArray(),
        Example.getDefaultInstance().toByteArray());
  }

  private static Example example(String word, float price, String... tags) {
    Example.Builder example = Example.newBuilder();
    example
        .getFeaturesBuilder()
        .putFeature("word", feature(word))
        .putFeature("tags", feature(tags))
        .putFeature(
            "price",
            Feature.newBuilder().setFloatList(FloatList.newBuilder().addValue(price)).build());
    return example.build();
  }

  private static Feature feature(String... values) {
    BytesList.Builder list = BytesList.newBuilder();
    for (String value : values) {
      list.addValue(ByteString.copyFromUtf8(value));
    }
    return Feature.newBuilder().setBytesList(list).build();
  }

  // ---- as we write them ----

  @Test
  void save_trainedModel_isLoadedByStockWithOurValues() {
    Ops tf = Ops.create();
    tf.graph().setSeed(7);
    VariableScope scope = VariableScope.of(tf);
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 4));
    Output hidden = Dense.of(8).withActivation(Activation.TANH).apply(scope.open("hidden"), x);
    PartitionedVariable weights =
        scope.getPartitionedVariable(
            VariableSpec.of("weights", Shape.of(8, 3)), Partitioner.fixedSize(2, 0));
    GraphFunction twice =
        tf.function("twice", (g, args) -> List.of(g.add(args.get(0), args.get(0))));
    Output logits = tf.call(twice, tf.matMul(hidden, weights.value(tf))).get(0);
    Output y = tf.softmax(logits);
    var train = new AdamOptimizer(0.1).minimize(tf, tf.mean(tf.square(logits), 0, 1));
    try (Session session = Session.local(tf.graph());
        Tensor batch = Tensor.of(Shape.of(2, 4), new float[] {1, 2, 3, 4, -1, 0, 0.5f, 2})) {
      session.run(tf.globalVariablesInitializer());
      session.runner().feed(x, batch).target(train).run().close();
      SavedModel.save(
          folder.resolve("1"),
          session,
          Map.of(
              SavedModel.SERVING_DEFAULT,
              SignatureDef.predict().withInput("x", x).withOutput("y", y)));
      try (StepResult ours = session.runner().feed(x, batch).fetch(y).run();
          StockSession stock = StockSession.ofSavedModel(folder.resolve("1"), "serve")) {
        requireAlike(ours.get(0), stock.run(Map.of("x:0", batch), y.name()).get(0));
      }
    }
    tf.graph().close();

    folder = folder.resolve("1");
    requireAlike(SavedModel.SERVING_DEFAULT, Map.of("x", Tensor.of(Shape.of(1, 4), new float[4])));
  }

  @Test
  void save_tableFromAFile_isLoadedByStockWithTheFile() throws Exception {
    Path file = Files.writeString(folder.resolve("words.txt"), "yes\nno\n");
    Ops tf = Ops.create();
    Output words = tf.withName("words").placeholder(DataType.STRING, Shape.of(-1));
    LookupTable table = tf.lookup.hashTable(DataType.STRING, DataType.INT64);
    table.initializeFromTextFile(
        tf.constant(file.toString()),
        TextFileColumns.of(TextFileColumns.WHOLE_LINE, TextFileColumns.LINE_NUMBER));
    Output ids = table.find(words, tf.constant(-1L));
    try (Session session = Session.local(tf.graph())) {
      SavedModel.save(
          folder.resolve("1"),
          session,
          Map.of("ids", SignatureDef.predict().withInput("w", words).withOutput("ids", ids)));
    }
    tf.graph().close();
    Files.delete(file);

    folder = folder.resolve("1");
    requireAlike("ids", Map.of("w", Tensor.of("no", "maybe", "yes")));
  }

  // ---- comparing ----

  /** Runs a signature of the model in {@link #folder} in both; closes the inputs. */
  private void requireAlike(String key, Map<String, Tensor> inputs) {
    try (SavedModel model = SavedModel.load(folder);
        StockSession stock = StockSession.ofSavedModel(folder, "serve")) {
      Signature signature = model.signature(key);
      Map<String, Tensor> feeds = new HashMap<>();
      inputs.forEach((name, value) -> feeds.put(signature.inputs().get(name).name(), value));
      List<String> outputs = List.copyOf(signature.outputs().keySet());
      List<String> fetches = signature.outputs().values().stream().map(TensorInfo::name).toList();
      List<Tensor> wanted = stock.run(feeds, fetches, List.of());
      try (StepResult result = signature.run(inputs, outputs, RunOptions.defaults())) {
        for (int i = 0; i < wanted.size(); i++) {
          requireAlike(result.get(i), wanted.get(i));
        }
      }
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  private static void requireAlike(Tensor ours, Tensor stocks) {
    try (stocks) {
      assertThat(ours.type()).isEqualTo(stocks.type());
      assertThat(ours.shape()).isEqualTo(stocks.shape());
      if (ours.type() == DataType.FLOAT) {
        for (int i = 0; i < ours.elementCount(); i++) {
          float wanted = stocks.getFloat(i);
          assertThat(ours.getFloat(i))
              .isCloseTo(wanted, Offset.offset(1e-5f * Math.max(1, Math.abs(wanted))));
        }
      } else {
        assertThat(ours.toBytes()).isEqualTo(stocks.toBytes());
      }
    }
  }
}
