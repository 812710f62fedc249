package dev.tributary.train.savedmodel;

import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.V1CheckpointWriter;
import dev.tributary.session.RunOptions;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.SavedModelFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo.CooSparse;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

@NoLeaks
@Timeout(60)
class SavedModelLoadTest {
  @TempDir Path folder;

  // ---- what loads ----

  @Test
  void load_modelOfTensorFlow1_givesItsValues() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.halfPlusTwo(folder).write())) {
      Map<String, Value> out =
          model.signature("serving_default").call(Map.of("x", new float[] {1, 2, 5}));

      assertThat(out.get("y").toFloats()).containsExactly(2.5f, 3, 4.5f);
      assertThat(model.tags()).containsExactly("serve");
    }
  }

  @Test
  void load_textForm_givesItsValues() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.halfPlusTwo(folder).writeText())) {
      assertThat(half(model)).containsExactly(2.5f);
    }
  }

  @Test
  void load_modelOfTensorFlow2_givesItsValues() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.dense(folder).write())) {
      Signature dense = model.signature(SavedModel.SERVING_DEFAULT);

      assertThat(dense.inputs().get("x").toString()).isEqualTo("float [?,2]");
      assertThat(dense.call(Map.of("x", new float[][] {{1, 2}})).get("output_0").toFloats())
          .containsExactly(9.5f, 0, 16);
    }
  }

  @Test
  void load_pathOfOneModelTwice_givesModelsThatShareNothing() {
    SavedModelFolder.dense(folder).write();
    try (SavedModel one = SavedModel.load(folder);
        SavedModel two = SavedModel.load(folder)) {
      one.close();
      assertThat(
              two.signature("serving_default").call(Map.of("x", new float[1][2])).get("output_0"))
          .extracting(Value::shape)
          .isEqualTo(Shape.of(1, 3));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"signature", "main", "legacy", "tables", "old assets"})
  void load_initOpNamedInAnyWay_runsItWithTheFilesFed(String way) {
    SavedModelFolder model = SavedModelFolder.vocabulary(folder);
    switch (way) {
      case "signature" -> model.initSignature("init");
      case "main" -> model.collection("saved_model_main_op", "init");
      case "legacy" -> model.collection("legacy_init_op", "init");
      case "tables" -> model.collection("table_initializer", "fill");
      default -> model.assetsInCollection().collection("legacy_init_op", "init");
    }
    model.write();

    try (SavedModel loaded = SavedModel.load(folder)) {
      assertThat(
              loaded
                  .signature("serving_default")
                  .call(Map.of("words", new String[] {"fox", "the", "dog"}))
                  .get("id")
                  .toLongs())
          .containsExactly(2, 0, -1);
    }
  }

  @Test
  void load_devicesOfAnotherMachine_areIgnored() {
    SavedModelFolder model = SavedModelFolder.halfPlusTwo(folder);
    model
        .meta()
        .getGraphDefBuilder()
        .getNodeBuilderList()
        .forEach(node -> node.setDevice("/job:ps/task:3/device:GPU:1"));
    model.write();

    try (SavedModel loaded = SavedModel.load(folder)) {
      assertThat(half(loaded)).containsExactly(2.5f);
    }
  }

  @Test
  void load_tagsGiven_takesTheMetaGraphWithExactlyThese() {
    SavedModelFolder serve = SavedModelFolder.halfPlusTwo(folder);
    serve.write();
    SavedModelFolder other =
        SavedModelFolder.at(folder)
            .tags("serve", "gpu")
            .graph(SavedModelFolder.string("s", "hello"))
            .signature("say", "", "s=s:0 string 1");
    other.addTo(serve);

    try (SavedModel model =
        SavedModel.load(folder, Set.of("gpu", "serve"), SessionOptions.defaults())) {
      assertThat(model.signature("say").call(Map.of()).get("s").stringValue()).isEqualTo("hello");
    }
    TributaryException error =
        failure(() -> SavedModel.load(folder, Set.of("train"), SessionOptions.defaults()));
    assertThat(error.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(error).hasMessageContaining("[[serve], [gpu, serve]]");
  }

  @Test
  void load_withoutVariables_leavesThemUninitialized() throws Exception {
    SavedModelFolder.halfPlusTwo(folder).write();
    Files.delete(folder.resolve("variables/variables.index"));

    try (SavedModel model = SavedModel.load(folder)) {
      assertThat(failure(() -> half(model)).code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    }
  }

  @Test
  void load_variablesInACheckpointOfVersion1_areRestored() throws Exception {
    SavedModelFolder model = SavedModelFolder.halfPlusTwo(folder);
    model
        .graph(
            SavedModelFolder.string("old/a", "a"),
            SavedModelFolder.string("old/b", "b"),
            SavedModelFolder.string("old/slice", ""),
            node("old/Restore", "Restore", "save/Const, old/a", "dt=float"),
            node("old/Slice", "RestoreSlice", "save/Const, old/b, old/slice", "dt=float"),
            node("old/Assign", "AssignVariableOp", "a, old/Restore", "dtype=float"),
            node("old/Assign_1", "AssignVariableOp", "b, old/Slice", "dtype=float"),
            node("old/restore_all", "NoOp", "^old/Assign, ^old/Assign_1"))
        .saver("save/Const:0", "old/restore_all")
        .write();
    Path prefix = folder.resolve("variables/variables");
    V1CheckpointWriter old = new V1CheckpointWriter();
    try (BundleReader written = BundleReader.open(prefix);
        Tensor a = written.read("a");
        Tensor b = written.read("b")) {
      old.add("a", a);
      old.add("b", b);
    }
    Files.delete(folder.resolve("variables/variables.index"));
    old.write(prefix);

    try (SavedModel loaded = SavedModel.load(folder)) {
      assertThat(half(loaded)).containsExactly(2.5f);
      assertThat(loaded.variableNames()).containsExactly("a", "b");
    }
  }

  @Test
  void load_inputWithDefault_mayBeLeftOut() {
    SavedModelFolder model = SavedModelFolder.halfPlusTwo(folder);
    SignatureDef signature = model.meta().getSignatureDefOrThrow("serving_default");
    TensorProto ten =
        TensorProto.newBuilder()
            .setDtype(org.tensorflow.proto.DataType.DT_FLOAT)
            .setTensorShape(
                TensorShapeProto.newBuilder().addDim(TensorShapeProto.Dim.newBuilder().setSize(1)))
            .addFloatVal(10)
            .build();
    model
        .meta()
        .putSignatureDef("serving_default", signature.toBuilder().putDefaults("x", ten).build());
    model.write();

    try (SavedModel loaded = SavedModel.load(folder)) {
      Signature half = loaded.signature("serving_default");
      assertThat(half.optionalInputs()).containsExactly("x");
      assertThat(half.call(Map.of()).get("y").toFloats()).containsExactly(7);
      assertThat(half.call(Map.of("x", new float[] {1})).get("y").toFloats()).containsExactly(2.5f);
    }
  }

  @Test
  void load_modelRewrittenForTpus_runsOnCpus() {
    String replicate = "_tpu_replicate='cluster'";
    SavedModelFolder.halfPlusTwo(folder)
        .graph(
            node("meta", "TPUReplicateMetadata", "", "num_replicas=1", replicate),
            node("in", "TPUReplicatedInput", "x", "N=1", "T=float"),
            node(
                "neg",
                "Neg",
                "in, ^meta",
                "T=float",
                replicate,
                "device=/device:TPU_REPLICATED_CORE:0"),
            node("out", "TPUReplicatedOutput", "neg", "num_replicas=1", "T=float"))
        .signature("negative", "x=x:0 float -1", "y=out:0 float -1")
        .write();

    try (SavedModel model = SavedModel.load(folder)) {
      assertThat(model.signature("negative").call(Map.of("x", new float[] {3})).get("y").toFloats())
          .containsExactly(-3);
    }
  }

  // ---- variables ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "layers/0/bias",
        "layers.0.bias",
        "layers[0].bias",
        "dense/bias",
        "layers/0/bias/.ATTRIBUTES/VARIABLE_VALUE"
      })
  void variable_byPythonPathOrName_isRead(String name) {
    try (SavedModel model = SavedModel.load(SavedModelFolder.dense(folder).write())) {
      assertThat(model.variable(name).toFloats()).containsExactly(0.5f, -100, 1);
      assertThat(model.variableNames()).containsExactly("kernel", "layers/0/bias");
    }
  }

  @Test
  void variable_ofTensorFlow1_isReadByItsName() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.halfPlusTwo(folder).write())) {
      assertThat(model.variable("b").floatValue()).isEqualTo(2);
      assertThat(failure(() -> model.variable("c")))
          .hasMessageContaining("no variable 'c', it has [a, b]");
    }
  }

  // ---- unknown ops ----

  @Test
  void load_unknownOpsThatOneSignatureNeeds_runsTheOthers() {
    SavedModelFolder.halfPlusTwo(folder)
        .graph(
            node("m", "Mystery", "x"),
            node("m2", "Mystery", "m"),
            node("e", "Enigma", "m2"),
            node("z", "Neg", "e", "T=float"))
        .signature("strange", "x=x:0 float -1", "z=z:0 float -1")
        .write();

    try (SavedModel model = SavedModel.load(folder)) {
      assertThat(half(model)).containsExactly(2.5f);
      TributaryException error = failure(() -> model.signature("strange"));
      assertThat(error.code()).isEqualTo(ErrorCode.UNIMPLEMENTED);
      assertThat(error)
          .hasMessageContaining("signature 'strange'")
          .hasMessageContaining("'Enigma' (node 'e')")
          .hasMessageContaining("'Mystery' (2 nodes, first 'm");
      assertThat(failure(() -> model.signatures().get("strange").call(Map.of("x", 1f))).code())
          .isEqualTo(ErrorCode.UNIMPLEMENTED);
    }
  }

  @Test
  void load_unknownOpInAFunction_countsOnlyWhereAResultNeedsIt() {
    SavedModelFolder.halfPlusTwo(folder)
        .graph(
            function(
                "unused",
                "x:float -> y:float",
                "y=n:y:0",
                inner("m", "Mystery", "x"),
                inner("after", "Neg", "m:y:0", "T=float"),
                inner("n", "Neg", "x", "T=float")),
            function(
                "used",
                "x:float -> y:float",
                "y=n:y:0",
                inner("m", "Mystery", "x"),
                inner("n", "Neg", "m:y:0", "T=float")),
            node("c", "unused", "x"),
            node("d", "PartitionedCall", "x", "f=@used", "Tin=[float]", "Tout=[float]"))
        .signature("fine", "x=x:0 float -1", "z=c:0 float -1")
        .signature("bad", "x=x:0 float -1", "z=d:0 float -1")
        .write();

    try (SavedModel model = SavedModel.load(folder)) {
      assertThat(model.signature("fine").call(Map.of("x", new float[] {3})).get("z").toFloats())
          .containsExactly(-3);
      assertThat(failure(() -> model.signature("bad")))
          .hasMessageContaining("'Mystery' (node 'm' of function 'used')");
    }
  }

  @Test
  void load_unknownOpInTheRestore_isAnErrorThatSaysSo() {
    SavedModelFolder.halfPlusTwo(folder)
        .graph(node("m", "Mystery", ""), node("restore", "NoOp", "^m"))
        .saver("save/Const:0", "restore")
        .write();

    assertThat(failure(() -> SavedModel.load(folder)))
        .hasMessageContaining("operation 'restore', which restores the variables")
        .hasMessageContaining("'Mystery' (node 'm')");
  }

  @Test
  void load_damagedNodeThatNoSignatureNeeds_isLeftOut() {
    SavedModelFolder.halfPlusTwo(folder).graph(node("odd", "MatMul", "x", "T=float")).write();

    try (SavedModel model = SavedModel.load(folder)) {
      assertThat(half(model)).containsExactly(2.5f);
      assertThat(model.graph().find("odd")).isEmpty();
    }
  }

  // ---- wrong inputs ----

  @Test
  void call_wrongNames_areListed() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.halfPlusTwo(folder).write())) {
      Signature half = model.signature("serving_default");
      TributaryException error = failure(() -> half.call(Map.of("z", 1f)));

      assertThat(error.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(error)
          .hasMessageContaining("signature 'serving_default' wants inputs {x=float [?]}")
          .hasMessageContaining("missing: [x]")
          .hasMessageContaining("no such: [z]");
      assertThat(failure(() -> model.signature("other")))
          .hasMessageContaining("no signature 'other', it has [serving_default]");
    }
  }

  @Test
  void call_wrongTypeOrShape_isAnErrorThatNamesBoth() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.dense(folder).write())) {
      Signature dense = model.signature("serving_default");

      for (Object wrong :
          new Object[] {new int[][] {{1, 2}}, new float[] {1, 2}, new float[1][3], "text"}) {
        TributaryException error = failure(() -> dense.call(Map.of("x", wrong)));
        assertThat(error.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(error)
            .hasMessageContaining("signature 'serving_default'")
            .hasMessageContaining("input 'x' is float [?,2], got");
      }
      assertThat(failure(() -> dense.call(Map.of("x", new Object()))))
          .hasMessageContaining("input 'x'");
    }
  }

  @Test
  void run_ofABatch_fetchesWhatIsWanted() {
    try (SavedModel model = SavedModel.load(SavedModelFolder.halfPlusTwo(folder).write());
        Tensor batch = Tensor.of(new float[] {1, 2})) {
      Signature half = model.signature("serving_default");
      try (StepResult result = half.run(Map.of("x", batch), List.of("y"), RunOptions.defaults())) {
        assertThat(result.get(0).toFloats()).containsExactly(2.5f, 3);
      }
      assertThat(failure(() -> half.run(Map.of("x", batch), List.of("w"), RunOptions.defaults())))
          .hasMessageContaining("has no output 'w', it has [y]");
    }
  }

  // ---- damage ----

  @Test
  void load_noModel_isNotFound() {
    assertThat(failure(() -> SavedModel.load(folder)))
        .hasMessageContaining("neither saved_model.pb nor saved_model.pbtxt");
    assertThat(failure(() -> SavedModel.load(folder.resolve("none"))))
        .hasMessageContaining("there is no such folder");
    SavedModelFolder.halfPlusTwo(folder).write();
    assertThat(failure(() -> SavedModel.load(folder.resolve("saved_model.pb"))))
        .hasMessageContaining("it is a file; give the folder that has saved_model.pb");
  }

  @Test
  void load_cutAnywhere_isOneClearError() throws Exception {
    byte[] whole =
        Files.readAllBytes(SavedModelFolder.dense(folder).write().resolve("saved_model.pb"));
    for (int size = 0; size < whole.length; size += 7) {
      Files.write(folder.resolve("saved_model.pb"), Arrays.copyOf(whole, size));

      assertThat(failure(() -> SavedModel.load(folder)).code())
          .as("%d of %d bytes", size, whole.length)
          .isIn(ErrorCode.DATA_LOSS, ErrorCode.INVALID_ARGUMENT, ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void load_missingShard_namesTheFile() throws Exception {
    SavedModelFolder.dense(folder).write();
    Files.delete(folder.resolve("variables/variables.data-00000-of-00001"));

    TributaryException error = failure(() -> SavedModel.load(folder));
    assertThat(error.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(error)
        .hasMessageContaining("SavedModel " + folder)
        .hasMessageContaining("restores the variables")
        .hasMessageContaining("variables.data-00000-of-00001");
  }

  @Test
  void load_missingAsset_namesTheFile() throws Exception {
    SavedModelFolder.vocabulary(folder).initSignature("init").write();
    Files.delete(folder.resolve("assets/vocabulary.txt"));

    assertThat(failure(() -> SavedModel.load(folder)))
        .hasMessageContaining("initializes the model")
        .hasMessageContaining("vocabulary.txt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../secret", "/etc/passwd", "", "a/../..", "."})
  void load_assetOutsideOfTheFolder_isRefused(String name) {
    SavedModelFolder model = SavedModelFolder.vocabulary(folder).initSignature("init");
    model.meta().getAssetFileDefBuilder(0).setFilename(name);
    model.write();

    assertThat(failure(() -> SavedModel.load(folder)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void load_functionsThatCallEachOther_areRefused() {
    SavedModelFolder.halfPlusTwo(folder)
        .graph(
            function("f", "x:float -> y:float", "y=c:y:0", inner("c", "g", "x")),
            function("g", "x:float -> y:float", "y=c:y:0", inner("c", "f", "x")))
        .write();

    assertThat(failure(() -> SavedModel.load(folder))).hasMessageContaining("calls itself");
  }

  @Test
  void load_initOpThatIsNotThere_isNotFound() {
    SavedModelFolder.halfPlusTwo(folder).initSignature("nothing").write();

    assertThat(failure(() -> SavedModel.load(folder)))
        .hasMessageContaining("operation 'nothing', which initializes the model");
  }

  @Test
  void load_twoInitOps_areRefused() {
    SavedModelFolder.halfPlusTwo(folder).collection("saved_model_main_op", "x", "y").write();

    assertThat(failure(() -> SavedModel.load(folder)).code())
        .isEqualTo(ErrorCode.FAILED_PRECONDITION);
  }

  @Test
  void load_signatureOfTensorsThatAreNotThere_isReportedWhenUsed() {
    SavedModelFolder model =
        SavedModelFolder.halfPlusTwo(folder)
            .signature("lost", "x=x:0 float -1", "y=nowhere:0 float -1")
            .signature("sparse", "x=x:0 float -1", "y=y:0 float -1");
    SignatureDef.Builder sparse = model.meta().getSignatureDefOrThrow("sparse").toBuilder();
    sparse.putInputs(
        "x",
        org.tensorflow.proto.TensorInfo.newBuilder()
            .setCooSparse(CooSparse.newBuilder().setValuesTensorName("x:0"))
            .build());
    model.meta().putSignatureDef("sparse", sparse.build());
    model.write();

    try (SavedModel loaded = SavedModel.load(folder)) {
      assertThat(failure(() -> loaded.signature("lost")))
          .hasMessageContaining("no tensor 'nowhere:0'");
      assertThat(failure(() -> loaded.signature("sparse"))).hasMessageContaining("sparse");
      assertThat(half(loaded)).containsExactly(2.5f);
    }
  }

  @Test
  void load_badVariableInACollection_isOneClearError() {
    SavedModelFolder model = SavedModelFolder.halfPlusTwo(folder);
    org.tensorflow.proto.CollectionDef.Builder bad =
        org.tensorflow.proto.CollectionDef.newBuilder();
    bad.getBytesListBuilder().addValue(ByteString.copyFromUtf8("\u0001\u0002garbage"));
    model.meta().putCollectionDef("variables", bad.build());
    model.write();

    assertThat(failure(() -> SavedModel.load(folder)))
        .hasMessageContaining("collection 'variables'");
  }

  @Test
  void call_modelClosed_isCancelled() {
    SavedModel model = SavedModel.load(SavedModelFolder.halfPlusTwo(folder).write());
    model.close();
    model.close();

    assertThat(failure(() -> half(model)).code()).isEqualTo(ErrorCode.CANCELLED);
  }

  private static float[] half(SavedModel model) {
    return model
        .signature("serving_default")
        .call(Map.of("x", new float[] {1}))
        .get("y")
        .toFloats();
  }

  private static TributaryException failure(Runnable action) {
    TributaryException failure = catchThrowableOfType(action::run, TributaryException.class);
    assertThat(failure).isNotNull();
    return failure;
  }
}
