package dev.tributary.train.savedmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.ops.TextFileColumns;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.MetaGraphDef;

@NoLeaks
@Timeout(60)
class SavedModelSaveTest {
  @TempDir Path folder;

  @Test
  void save_modelWithVariables_isLoadedWithTheirValues() throws Exception {
    Ops tf = Ops.create();
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 2));
    Variable w = tf.variable("w", tf.constant(Shape.of(2, 1), 1f, 2f));
    PartitionedVariable table =
        VariableScope.of(tf)
            .getPartitionedVariable(
                VariableSpec.of("table", Shape.of(3, 1)), Partitioner.fixedSize(2, 0));
    Output y = tf.add(tf.matMul(x, w), tf.sum(table.value(tf), 0, 1));
    Path export = folder.resolve("models/1");
    float expected;
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      session.run(w.assignAdd(tf.constant(Shape.of(2, 1), 10f, 10f)));
      expected = session.fetch(y, Feeds.of(x, new float[][] {{1, 1}})).getFloat(0, 0);
      int size = tf.graph().size();
      tf.graph().makeFinal();
      SavedModel.save(export, session, Map.of("serving_default", signature(x, y)));
      assertThat(tf.graph().size()).isEqualTo(size);
    }
    tf.graph().close();

    assertThat(listing(folder.resolve("models"))).containsExactly("1");
    assertThat(listing(export)).containsExactly("saved_model.pb", "variables");
    try (SavedModel model = SavedModel.load(export)) {
      Signature loaded = model.signature("serving_default");
      assertThat(loaded.toString()).isEqualTo("serving_default{x=float [?,2]} -> {y=float [?,1]}");
      assertThat(loaded.call(Map.of("x", new float[][] {{1, 1}})).get("y").toFloats())
          .containsExactly(expected);
      assertThat(Variables.global(model.graph())).extracting(Variable::name).contains("w");
    }
  }

  @Test
  void save_loadedModelThatWasTrainedOn_hasTheNewValues() {
    Path first = folder.resolve("1");
    Path second = folder.resolve("2");
    Ops tf = Ops.create();
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1));
    Variable w = tf.variable("w", 1f);
    Output y = tf.withName("y").mul(x, w);
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      SavedModel.save(first, session, Map.of("serving_default", signature(x, y)));
    }
    tf.graph().close();

    try (SavedModel model = SavedModel.load(first)) {
      Ops more = new Ops(model.graph().scope());
      Output prediction = model.graph().output("y:0");
      Output input = model.graph().output("x:0");
      Output loss = more.mean(more.square(more.sub(prediction, more.constant(6f))), 0);
      Operation train = new GradientDescentOptimizer(0.1).minimize(more, loss);
      for (int i = 0; i < 100; i++) {
        model.session().run(train, Feeds.of(input, new float[] {2}));
      }
      SavedModel.save(
          second, model.session(), Map.of("serving_default", signature(input, prediction)));
    }

    try (SavedModel model = SavedModel.load(second)) {
      assertThat(
              model
                  .signature("serving_default")
                  .call(Map.of("x", new float[] {1}))
                  .get("y")
                  .toFloats()[0])
          .isCloseTo(3, Offset.offset(1e-3f));
    }
  }

  @Test
  void save_tablesFromFiles_bringsTheFilesAlong() throws Exception {
    Path one = Files.createDirectories(folder.resolve("a")).resolve("words.txt");
    Path two = Files.createDirectories(folder.resolve("b")).resolve("words.txt");
    Files.writeString(one, "yes\nno\n");
    Files.writeString(two, "no\nyes\nmaybe\n");
    Path export = folder.resolve("export");
    Ops tf = Ops.create();
    Output words = tf.withName("words").placeholder(DataType.STRING, Shape.of(-1));
    Output ids1 = ids(tf, words, one);
    Output ids2 = ids(tf, words, two);
    try (Session session = Session.local(tf.graph())) {
      SavedModel.save(
          export,
          session,
          Map.of(
              "ids",
              SignatureDef.predict()
                  .withInput("words", words)
                  .withOutput("one", ids1)
                  .withOutput("two", ids2)),
          Set.of("serve", "cpu"));
    }
    tf.graph().close();
    Files.delete(one);
    Files.delete(two);

    assertThat(listing(export.resolve("assets"))).containsExactly("words.txt", "words.txt_1");
    try (SavedModel model =
        SavedModel.load(export, Set.of("cpu", "serve"), SessionOptions.defaults())) {
      var out = model.signature("ids").call(Map.of("words", new String[] {"no", "maybe"}));
      assertThat(out.get("one").toLongs()).containsExactly(1, -1);
      assertThat(out.get("two").toLongs()).containsExactly(0, 2);
    }
  }

  private static Output ids(Ops tf, Output words, Path file) {
    LookupTable table = tf.lookup.hashTable(DataType.STRING, DataType.INT64);
    table.initializeFromTextFile(
        tf.constant(file.toString()),
        TextFileColumns.of(TextFileColumns.WHOLE_LINE, TextFileColumns.LINE_NUMBER));
    return table.find(words, tf.constant(-1L));
  }

  @Test
  void save_message_hasWhatLoadersLookFor() throws Exception {
    Path export = folder.resolve("export");
    Ops tf = Ops.create();
    Output x =
        tf.withDevice("/job:worker/task:1").withName("x").placeholder(DataType.FLOAT, Shape.of(-1));
    Variable w = tf.variable("w", 1f);
    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      SavedModel.save(
          export, session, Map.of("serving_default", signature(x, tf.withName("y").mul(x, w))));
    }
    tf.graph().close();

    MetaGraphDef meta =
        org.tensorflow.proto.SavedModel.parseFrom(
                Files.readAllBytes(export.resolve("saved_model.pb")))
            .getMetaGraphs(0);
    assertThat(meta.getGraphDef().getNodeList()).allMatch(node -> node.getDevice().isEmpty());
    assertThat(meta.getSaverDef().getRestoreOpName()).isEqualTo("save/restore_all");
    assertThat(meta.getSaverDef().getSaveTensorName()).isEqualTo("save/control_dependency:0");
    assertThat(meta.getCollectionDefOrThrow("variables").getBytesList().getValueCount()).isOne();
    assertThat(meta.getMetaInfoDef().getTagsList()).containsExactly("serve");
    assertThat(meta.getMetaInfoDef().getStrippedOpList().getOpList())
        .extracting(org.tensorflow.proto.OpDef::getName)
        .contains("Mul", "VarHandleOp", "RestoreV2", "SaveV2")
        .isSorted();
    assertThat(meta.getSignatureDefOrThrow("serving_default").getMethodName())
        .isEqualTo("tensorflow/serving/predict");
  }

  // ---- refusals ----

  @Test
  void save_folderThatIsNotEmpty_isRefused() throws Exception {
    Files.writeString(folder.resolve("file"), "mine");
    Ops tf = Ops.create();
    Output one = tf.constant(1f);
    try (Session session = Session.local(tf.graph())) {
      TributaryException error =
          failure(
              () ->
                  SavedModel.save(
                      folder, session, Map.of("s", SignatureDef.predict().withOutput("y", one))));
      assertThat(error.code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
    }
    tf.graph().close();
    assertThat(listing(folder)).containsExactly("file");
  }

  @Test
  void save_emptyFolder_isFilled() throws Exception {
    Path export = Files.createDirectory(folder.resolve("1"));
    Ops tf = Ops.create();
    Output one = tf.constant(1f);
    try (Session session = Session.local(tf.graph())) {
      SavedModel.save(export, session, Map.of("s", SignatureDef.predict().withOutput("y", one)));
    }
    tf.graph().close();
    Path ordinary = Files.createDirectory(folder.resolve("2"));
    assertThat(Files.getPosixFilePermissions(export))
        .isEqualTo(Files.getPosixFilePermissions(ordinary));
    try (SavedModel model = SavedModel.load(export)) {
      assertThat(model.signature("s").call(Map.of()).get("y").floatValue()).isEqualTo(1);
      assertThat(model.variableNames()).isEmpty();
      assertThat(failure(() -> model.variable("w"))).hasMessageContaining("has no variables");
    }
  }

  @Test
  void save_variableWithoutAValue_leavesNothingBehind() throws Exception {
    Ops tf = Ops.create();
    Variable w = tf.variable("w", 1f);
    try (Session session = Session.local(tf.graph())) {
      TributaryException error =
          failure(
              () ->
                  SavedModel.save(
                      folder.resolve("1"),
                      session,
                      Map.of("s", SignatureDef.predict().withOutput("y", w))));
      assertThat(error.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
      assertThat(error).hasMessageContaining("w");
    }
    tf.graph().close();
    assertThat(listing(folder)).isEmpty();
  }

  @Test
  void save_signaturesThatCouldNotRun_areRefused() {
    Ops tf = Ops.create();
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1));
    Output z = tf.withName("z").placeholder(DataType.FLOAT, Shape.of(-1));
    Output y = tf.add(x, z);
    Output lost =
        tf.state.readVariableOp(
            tf.withName("lost").state.varHandleOp(DataType.FLOAT, Shape.scalar(), "lost"),
            DataType.FLOAT);
    Ops other = Ops.create();
    Output foreign = other.constant(1f);
    try (Session session = Session.local(tf.graph())) {
      assertThat(refusal(session, "s", SignatureDef.predict().withInput("x", x).withOutput("y", y)))
          .hasMessageContaining("signature 's'")
          .hasMessageContaining("placeholders [z]");
      assertThat(refusal(session, "s", SignatureDef.predict().withOutput("y", lost)))
          .hasMessageContaining("variables [lost]");
      assertThat(refusal(session, "s", SignatureDef.predict().withOutput("y", foreign)))
          .hasMessageContaining("'y'");
      assertThat(refusal(session, "s", SignatureDef.predict()))
          .hasMessageContaining("needs an output");
      assertThat(
              refusal(
                  session,
                  "__saved_model_init_op",
                  SignatureDef.predict().withInput("x", x).withOutput("y", x)))
          .hasMessageContaining("reserved");
    }
    other.graph().close();
    tf.graph().close();
  }

  private TributaryException refusal(Session session, String key, SignatureDef signature) {
    TributaryException error =
        failure(() -> SavedModel.save(folder.resolve("1"), session, Map.of(key, signature)));
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    return error;
  }

  private static SignatureDef signature(Output x, Output y) {
    return SignatureDef.predict().withInput("x", x).withOutput("y", y);
  }

  private static List<String> listing(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static TributaryException failure(Runnable action) {
    TributaryException failure = catchThrowableOfType(action::run, TributaryException.class);
    assertThat(failure).isNotNull();
    return failure;
  }
}
