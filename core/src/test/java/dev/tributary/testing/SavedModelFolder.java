package dev.tributary.testing;

import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.node;

import com.google.protobuf.Any;
import com.google.protobuf.TextFormat;
import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.tensorflow.proto.AssetFileDef;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SavedModel;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.TrackableObjectGraphOuterClass.TrackableObjectGraph;

/**
 * SavedModels as stock's exporters lay them out, written from the messages up. Nodes are in the
 * text of {@link FunctionGraphs}. Confined to one thread.
 */
public final class SavedModelFolder {
  private final Path folder;
  private final MetaGraphDef.Builder meta = MetaGraphDef.newBuilder();
  private final Map<String, Tensor> variables = new LinkedHashMap<>();

  private SavedModelFolder(Path folder) {
    this.folder = folder;
    meta.getMetaInfoDefBuilder().addTags("serve").setTensorflowVersion("2.18.0");
  }

  // ---- models ----

  /** {@code y = x / 2 + 2}, in the style of TensorFlow 1, with resource variables. */
  public static SavedModelFolder halfPlusTwo(Path folder) {
    return new SavedModelFolder(folder)
        .graph(
            floats("x", "-1"),
            variable("a", ""),
            variable("b", ""),
            node("a/Read", "ReadVariableOp", "a", "dtype=float"),
            node("b/Read", "ReadVariableOp", "b", "dtype=float"),
            node("mul", "Mul", "a/Read, x", "T=float"),
            node("y", "AddV2", "mul, b/Read", "T=float"),
            node("save/Const", "Placeholder", "", "dtype=string", "shape=()"),
            strings("save/names", "a", "b"),
            strings("save/slices", "", ""),
            node(
                "save/RestoreV2",
                "RestoreV2",
                "save/Const, save/names, save/slices",
                "dtypes=[float, float]"),
            node("save/Assign", "AssignVariableOp", "a, save/RestoreV2", "dtype=float"),
            node("save/Assign_1", "AssignVariableOp", "b, save/RestoreV2:1", "dtype=float"),
            node("save/restore_all", "NoOp", "^save/Assign, ^save/Assign_1"))
        .saver("save/Const:0", "save/restore_all")
        .variable("a", Tensor.scalar(0.5f))
        .variable("b", Tensor.scalar(2f))
        .signature("serving_default", "x=x:0 float -1", "y=y:0 float -1");
  }

  /**
   * {@code relu(x w + b)} as TensorFlow 2 exports it: the work is in functions, and so is the
   * restore.
   */
  public static SavedModelFolder dense(Path folder) {
    return new SavedModelFolder(folder)
        .graph(
            function(
                "__inference_signature_wrapper_9",
                "x:float, w:resource, b:resource -> output_0:float",
                "output_0=Identity:output:0",
                inner(
                    "StatefulPartitionedCall",
                    "StatefulPartitionedCall",
                    "x, w, b",
                    "f=@__inference_dense_5",
                    "Tin=[float, resource, resource]",
                    "Tout=[float]"),
                inner("Identity", "Identity", "StatefulPartitionedCall:output:0, ^NoOp", "T=float"),
                inner("NoOp", "NoOp", "^StatefulPartitionedCall"),
                controlRet("StatefulPartitionedCall", "StatefulPartitionedCall")),
            function(
                "__inference_dense_5",
                "x:float, w:resource, b:resource -> identity:float",
                "identity=Relu:activations:0",
                inner("MatMul/Read", "ReadVariableOp", "w", "dtype=float"),
                inner("MatMul", "MatMul", "x, MatMul/Read:value:0", "T=float"),
                inner("BiasAdd/Read", "ReadVariableOp", "b", "dtype=float"),
                inner("BiasAdd", "BiasAdd", "MatMul:product:0, BiasAdd/Read:value:0", "T=float"),
                inner("Relu", "Relu", "BiasAdd:output:0", "T=float"),
                controlRet("MatMul/Read", "MatMul/Read"),
                controlRet("BiasAdd/Read", "BiasAdd/Read")),
            function(
                "__inference__traced_restore_7",
                "file_prefix:string, w:resource, b:resource -> identity:string",
                "identity=Identity_3:output:0",
                innerStrings(
                    "RestoreV2/tensor_names",
                    "kernel/.ATTRIBUTES/VARIABLE_VALUE",
                    "layers/0/bias/.ATTRIBUTES/VARIABLE_VALUE",
                    "_CHECKPOINTABLE_OBJECT_GRAPH"),
                innerStrings("RestoreV2/shape_and_slices", "", "", ""),
                inner(
                    "RestoreV2",
                    "RestoreV2",
                    "file_prefix, RestoreV2/tensor_names:output:0,"
                        + " RestoreV2/shape_and_slices:output:0",
                    "dtypes=[float, float, string]"),
                inner("Identity", "Identity", "RestoreV2:tensors:0", "T=float"),
                inner("Assign", "AssignVariableOp", "w, Identity:output:0", "dtype=float"),
                inner("Identity_1", "Identity", "RestoreV2:tensors:1", "T=float"),
                inner("Assign_1", "AssignVariableOp", "b, Identity_1:output:0", "dtype=float"),
                inner("Identity_2", "Identity", "file_prefix, ^Assign, ^Assign_1", "T=string"),
                inner("Identity_3", "Identity", "Identity_2:output:0", "T=string"),
                controlRet("Assign", "Assign"),
                controlRet("Assign_1", "Assign_1")),
            floats("serving_default_x", "-1, 2"),
            variable("dense/kernel", "2, 3"),
            variable("dense/bias", "3"),
            node(
                "StatefulPartitionedCall",
                "StatefulPartitionedCall",
                "serving_default_x, dense/kernel, dense/bias",
                "f=@__inference_signature_wrapper_9",
                "Tin=[float, resource, resource]",
                "Tout=[float]"),
            node("NoOp", "NoOp", ""),
            node("saver_filename", "Placeholder", "", "dtype=string", "shape=()"),
            node(
                "StatefulPartitionedCall_1",
                "StatefulPartitionedCall",
                "saver_filename, dense/kernel, dense/bias",
                "f=@__inference__traced_restore_7",
                "Tin=[string, resource, resource]",
                "Tout=[string]"))
        .saver("saver_filename:0", "StatefulPartitionedCall_1")
        .initSignature("NoOp")
        .objects()
        .signature(
            "serving_default",
            "x=serving_default_x:0 float -1,2",
            "output_0=StatefulPartitionedCall:0 float -1,3");
  }

  /** {@code y = w x} with a reference variable, as most models of TensorFlow 1 have them. */
  public static SavedModelFolder reference(Path folder) {
    return new SavedModelFolder(folder)
        .graph(
            floats("x", "-1, 2"),
            "node { name: 'w' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr"
                + " { key: 'shape' value { shape { dim { size: 2 } dim { size: 1 } } } } } ",
            node("w/read", "Identity", "w", "T=float", "_class=['loc:@w']"),
            node("y", "MatMul", "x, w/read", "T=float"),
            string("save/Const", "model"),
            strings("save/names", "w"),
            strings("save/slices", ""),
            node(
                "save/RestoreV2",
                "RestoreV2",
                "save/Const, save/names, save/slices",
                "dtypes=[float]"),
            node("save/Assign", "Assign", "w, save/RestoreV2", "T=float", "_class=['loc:@w']"),
            node("save/restore_shard", "NoOp", "^save/Assign"),
            node("save/restore_all", "NoOp", "^save/restore_shard"))
        .saver("save/Const:0", "save/restore_all")
        .variable("w", Tensor.of(Shape.of(2, 1), new float[] {3, -1}))
        .signature("serving_default", "x=x:0 float -1,2", "y=y:0 float -1,1");
  }

  /** A vocabulary in a file: {@code id = index of the word in it, or -1}. */
  public static SavedModelFolder vocabulary(Path folder) {
    return new SavedModelFolder(folder)
        .graph(
            node("words", "Placeholder", "", "dtype=string"),
            string("asset", "/exporter/vocabulary.txt"),
            node(
                "table",
                "HashTableV2",
                "",
                "key_dtype=string",
                "value_dtype=int64",
                "shared_name='vocabulary'"),
            node(
                "fill",
                "InitializeTableFromTextFileV2",
                "table, asset",
                "key_index=-2",
                "value_index=-1",
                "vocab_size=3"),
            node("init", "NoOp", "^fill"),
            number("none", "DT_INT64", "int64_val: -1"),
            node("find", "LookupTableFindV2", "table, words, none", "Tin=string", "Tout=int64"))
        .asset("asset:0", "vocabulary.txt", "the\nquick\nfox\n")
        .signature("serving_default", "words=words:0 string -1", "id=find:0 int64 -1");
  }

  /**
   * A scoring model as an Estimator exports it: serialized Examples in, a vocabulary of words, a
   * weight for each word and a price added to it; words that are not known have the last weight.
   */
  public static SavedModelFolder estimator(Path folder) {
    return vocabulary(folder)
        .graph(
            node("inputs", "Placeholder", "", "dtype=string"),
            strings("names"),
            strings("sparse_keys", "tags"),
            strings("dense_keys", "word", "price"),
            strings("ragged_keys"),
            string("word_default", ""),
            number("price_default", "DT_FLOAT", "float_val: 0.5"),
            node(
                "parse",
                "ParseExampleV2",
                "inputs, names, sparse_keys, dense_keys, ragged_keys, word_default, price_default",
                "Tdense=[string, float]",
                "num_sparse=1",
                "sparse_types=[string]",
                "ragged_value_types=[]",
                "ragged_split_types=[]",
                "dense_shapes=[(), ()]"),
            number("unknown", "DT_INT64", "int64_val: 3"),
            node("id", "LookupTableFindV2", "table, parse:3, unknown", "Tin=string", "Tout=int64"),
            node("tag", "LookupTableFindV2", "table, parse:1, unknown", "Tin=string", "Tout=int64"),
            variable("weights", "4"),
            node("weight", "ResourceGather", "weights, id", "dtype=float", "Tindices=int64"),
            node("score", "AddV2", "weight, parse:4", "T=float"),
            node("scores", "Sigmoid", "score", "T=float"),
            node("save/Const", "Placeholder", "", "dtype=string", "shape=()"),
            strings("save/names", "linear/weights"),
            strings("save/slices", ""),
            node(
                "save/RestoreV2",
                "RestoreV2",
                "save/Const, save/names, save/slices",
                "dtypes=[float]"),
            node("save/Assign", "AssignVariableOp", "weights, save/RestoreV2", "dtype=float"),
            node("save/restore_all", "NoOp", "^save/Assign"))
        .saver("save/Const:0", "save/restore_all")
        .collection("legacy_init_op", "init")
        .variable("linear/weights", Tensor.of(new float[] {-1, 0.25f, 2, -3}))
        .signature("scores", "inputs=inputs:0 string -1", "scores=scores:0 float -1")
        .signature("tags", "inputs=inputs:0 string -1", "tags=tag:0 int64 -1");
  }

  // ---- parts ----

  public static SavedModelFolder at(Path folder) {
    return new SavedModelFolder(folder);
  }

  /** Adds what these texts hold. */
  public SavedModelFolder graph(String... parts) {
    meta.getGraphDefBuilder().mergeFrom(FunctionGraphs.def(parts));
    meta.getGraphDefBuilder().getVersionsBuilder().setProducer(1994).setMinConsumer(12);
    return this;
  }

  public SavedModelFolder tags(String... tags) {
    meta.getMetaInfoDefBuilder().clearTags().addAllTags(Arrays.asList(tags));
    return this;
  }

  /**
   * @param input {@code key=tensor type sizes}, such as {@code x=x:0 float -1,2}; empty for none
   */
  public SavedModelFolder signature(String key, String input, String output) {
    SignatureDef.Builder signature =
        SignatureDef.newBuilder().setMethodName("tensorflow/serving/predict");
    if (!input.isEmpty()) {
      signature.putInputs(input.substring(0, input.indexOf('=')), info(input));
    }
    signature.putOutputs(output.substring(0, output.indexOf('=')), info(output));
    meta.putSignatureDef(key, signature.build());
    return this;
  }

  public SavedModelFolder saver(String filename, String restore) {
    meta.getSaverDefBuilder().setFilenameTensorName(filename).setRestoreOpName(restore);
    return this;
  }

  /** Names the init op by a signature, as TensorFlow 2 does. */
  public SavedModelFolder initSignature(String operation) {
    meta.putSignatureDef(
        "__saved_model_init_op",
        SignatureDef.newBuilder()
            .putOutputs(
                "__saved_model_init_op",
                TensorInfo.newBuilder()
                    .setName(operation)
                    .setTensorShape(TensorShapeProto.newBuilder().setUnknownRank(true))
                    .build())
            .build());
    return this;
  }

  public SavedModelFolder collection(String name, String... nodes) {
    CollectionDef.Builder collection = CollectionDef.newBuilder();
    collection.getNodeListBuilder().addAllValue(Arrays.asList(nodes));
    meta.putCollectionDef(name, collection.build());
    return this;
  }

  /** Adds a file. */
  public SavedModelFolder asset(String tensor, String name, String content) {
    meta.addAssetFileDef(
        AssetFileDef.newBuilder()
            .setTensorInfo(TensorInfo.newBuilder().setName(tensor))
            .setFilename(name));
    try {
      Files.createDirectories(folder.resolve("assets"));
      Files.writeString(folder.resolve("assets").resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Lists the assets in a collection, as TensorFlow 1 did. */
  public SavedModelFolder assetsInCollection() {
    CollectionDef.Builder collection = CollectionDef.newBuilder();
    meta.getAssetFileDefList()
        .forEach(asset -> collection.getAnyListBuilder().addValue(Any.pack(asset)));
    meta.putCollectionDef("saved_model_assets", collection.build()).clearAssetFileDef();
    return this;
  }

  /** Adds a tensor to the checkpoint, which closes it. */
  public SavedModelFolder variable(String name, Tensor value) {
    variables.put(name, value);
    return this;
  }

  /** The message, to be changed at will. */
  public MetaGraphDef.Builder meta() {
    return meta;
  }

  /**
   * The Python objects of {@link #dense}: {@code model.kernel} and {@code model.layers[0].bias}.
   */
  private SavedModelFolder objects() {
    String objects =
        "nodes { children { node_id: 1 local_name: 'kernel' } children { node_id: 2 local_name:"
            + " 'layers' } user_object { identifier: '_generic_user_object' } } nodes { variable {"
            + " dtype: DT_FLOAT trainable: true name: 'dense/kernel' } } nodes { children {"
            + " node_id: 3 local_name: '0' } user_object { identifier: 'trackable_list_wrapper' }"
            + " } nodes { children { node_id: 4 local_name: 'bias' } user_object { identifier:"
            + " '_generic_user_object' } } nodes { variable { dtype: DT_FLOAT trainable: true name:"
            + " 'dense/bias' } }";
    String trackable =
        "nodes { children { node_id: 1 local_name: 'kernel' } children { node_id: 2 local_name:"
            + " 'layers' } } nodes { attributes { name: 'VARIABLE_VALUE' full_name: 'dense/kernel'"
            + " checkpoint_key: 'kernel/.ATTRIBUTES/VARIABLE_VALUE' } } nodes { children { node_id:"
            + " 3 local_name: '0' } } nodes { children { node_id: 4 local_name: 'bias' } } nodes {"
            + " attributes { name: 'VARIABLE_VALUE' full_name: 'dense/bias' checkpoint_key:"
            + " 'layers/0/bias/.ATTRIBUTES/VARIABLE_VALUE' } }";
    TrackableObjectGraph.Builder graph = TrackableObjectGraph.newBuilder();
    try {
      TextFormat.merge(objects, meta.getObjectGraphDefBuilder());
      TextFormat.merge(trackable, graph);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(e);
    }
    return variable(
            "kernel/.ATTRIBUTES/VARIABLE_VALUE",
            Tensor.of(Shape.of(2, 3), new float[] {1, 2, 3, 4, 5, 6}))
        .variable(
            "layers/0/bias/.ATTRIBUTES/VARIABLE_VALUE", Tensor.of(new float[] {0.5f, -100, 1}))
        .variable(
            "_CHECKPOINTABLE_OBJECT_GRAPH",
            Tensor.ofObjects(
                dev.tributary.tensor.DataType.STRING, Shape.scalar(), graph.build().toByteArray()));
  }

  // ---- writing ----

  public Path write() {
    writeFiles();
    write("saved_model.pb", model().toByteArray());
    return folder;
  }

  public Path writeText() {
    writeFiles();
    write(
        "saved_model.pbtxt",
        TextFormat.printer().printToString(model()).getBytes(StandardCharsets.UTF_8));
    return folder;
  }

  /** Adds the meta graph to the model that the folder has. */
  public Path addTo(SavedModelFolder first) {
    first.write(
        "saved_model.pb", first.model().toBuilder().addMetaGraphs(meta).build().toByteArray());
    return first.folder;
  }

  private SavedModel model() {
    return SavedModel.newBuilder().setSavedModelSchemaVersion(1).addMetaGraphs(meta).build();
  }

  private void writeFiles() {
    if (!variables.isEmpty()) {
      try (BundleWriter checkpoint =
          BundleWriter.create(folder.resolve("variables").resolve("variables"))) {
        variables.forEach(checkpoint::add);
        checkpoint.finish();
      }
      variables.values().forEach(Tensor::close);
    }
  }

  private void write(String name, byte[] content) {
    try {
      Files.createDirectories(folder);
      Files.write(folder.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- nodes ----

  /** A placeholder of floats with these sizes. */
  public static String floats(String name, String sizes) {
    return "node { name: '"
        + name
        + "' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape'"
        + " value { "
        + shape(sizes)
        + " } } } ";
  }

  /** A resource variable of floats. */
  public static String variable(String name, String sizes) {
    return "node { name: '"
        + name
        + "' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key:"
        + " 'shared_name' value { s: '"
        + name
        + "' } } attr { key: 'shape' value { "
        + shape(sizes)
        + " } } } ";
  }

  /** A constant vector of strings. */
  public static String strings(String name, String... values) {
    return "node " + constant(name, "dim { size: " + values.length + " }", values);
  }

  /** A single constant string. */
  public static String string(String name, String value) {
    return "node " + constant(name, "", value);
  }

  /** A single constant number. */
  private static String number(String name, String type, String value) {
    return "node { name: '"
        + name
        + "' op: 'Const' attr { key: 'dtype' value { type: "
        + type
        + " } } attr { key: 'value' value { tensor { dtype: "
        + type
        + " tensor_shape { } "
        + value
        + " } } } } ";
  }

  private static String innerStrings(String name, String... values) {
    return "node_def " + constant(name, "dim { size: " + values.length + " }", values);
  }

  private static String constant(String name, String shape, String... values) {
    return "{ name: '"
        + name
        + "' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { key: 'value' value"
        + " { tensor { dtype: DT_STRING tensor_shape { "
        + shape
        + " } "
        + Arrays.stream(values)
            .map(value -> "string_val: '" + value + "'")
            .collect(Collectors.joining(" "))
        + " } } } } ";
  }

  private static String shape(String sizes) {
    return "shape { "
        + Arrays.stream(sizes.split(","))
            .filter(size -> !size.isBlank())
            .map(size -> "dim { size: " + size.trim() + " }")
            .collect(Collectors.joining(" "))
        + " }";
  }

  private static TensorInfo info(String text) {
    String[] parts = text.substring(text.indexOf('=') + 1).split(" ");
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String size : parts[2].split(",")) {
      shape.addDimBuilder().setSize(Long.parseLong(size));
    }
    return TensorInfo.newBuilder()
        .setName(parts[0])
        .setDtype(DataType.valueOf("DT_" + parts[1].toUpperCase(Locale.ROOT)))
        .setTensorShape(shape)
        .build();
  }
}
