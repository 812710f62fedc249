package dev.tributary.train.internal.savedmodel;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.TensorName;
import dev.tributary.internal.bundle.BundleFiles;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.tensorflow.proto.AssetFileDef;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;

/**
 * One meta graph of a SavedModel, and where its files are. The names of collections and signatures
 * that mean something to loaders are known here. Immutable.
 */
public record SavedMetaGraph(Path folder, MetaGraphDef message) {
  public static final String SERVE = "serve";
  public static final String INIT_OP_SIGNATURE = "__saved_model_init_op";
  public static final String TRAIN_OP_SIGNATURE = "__saved_model_train_op";
  public static final String MAIN_OP = "saved_model_main_op";
  public static final String ASSETS = "saved_model_assets";

  private static final String LEGACY_INIT_OP = "legacy_init_op";
  private static final String TABLE_INITIALIZERS = "table_initializer";

  public Set<String> tags() {
    return SavedModelFile.tags(message);
  }

  /** The signatures that programs call, without those that only name operations. */
  public SortedMap<String, SignatureDef> signatures() {
    SortedMap<String, SignatureDef> signatures = new TreeMap<>(message.getSignatureDefMap());
    signatures.remove(INIT_OP_SIGNATURE);
    signatures.remove(TRAIN_OP_SIGNATURE);
    return signatures;
  }

  /**
   * Returns whether it was written by TensorFlow 2: it then has the Python objects of the model.
   */
  public boolean hasObjects() {
    return message.hasObjectGraphDef();
  }

  // ---- variables ----

  /** The prefix of the checkpoint that holds the variables. */
  public Path variables() {
    return variables(folder);
  }

  public static Path variables(Path folder) {
    return folder.resolve("variables").resolve("variables");
  }

  /** Returns whether there is a checkpoint: of the second version, or of the first, a file. */
  public boolean hasVariables() {
    return hasVariables(folder);
  }

  public static boolean hasVariables(Path folder) {
    Path prefix = variables(folder);
    return Files.exists(BundleFiles.index(prefix)) || Files.isRegularFile(prefix);
  }

  /** The operation that restores the variables, if the model has a saver. */
  public Optional<String> restoreOperation() {
    return message.hasSaverDef() && !message.getSaverDef().getRestoreOpName().isEmpty()
        ? Optional.of(operationOf(message.getSaverDef().getRestoreOpName()))
        : Optional.empty();
  }

  // ---- initialization ----

  /**
   * The operations that make the model ready: the one that a signature or collection names, or else
   * those that fill tables.
   */
  public List<String> initOperations() {
    if (message.containsSignatureDef(INIT_OP_SIGNATURE)) {
      SignatureDef init = message.getSignatureDefOrThrow(INIT_OP_SIGNATURE);
      if (!init.containsOutputs(INIT_OP_SIGNATURE)) {
        throw TributaryException.failedPrecondition(
            "signature '%s' of %s has no output of the same name, it has %s",
            INIT_OP_SIGNATURE, folder, init.getOutputsMap().keySet());
      }
      return List.of(operationOf(init.getOutputsOrThrow(INIT_OP_SIGNATURE).getName()));
    }
    for (String collection : List.of(MAIN_OP, LEGACY_INIT_OP)) {
      List<String> names = nodes(collection);
      if (names.size() > 1) {
        throw TributaryException.failedPrecondition(
            "collection '%s' of %s names %d operations, wanted one: %s",
            collection, folder, names.size(), names);
      }
      if (!names.isEmpty()) {
        return List.of(operationOf(names.get(0)));
      }
    }
    return nodes(TABLE_INITIALIZERS).stream().map(SavedMetaGraph::operationOf).toList();
  }

  private List<String> nodes(String collection) {
    return message
        .getCollectionDefOrDefault(collection, CollectionDef.getDefaultInstance())
        .getNodeList()
        .getValueList();
  }

  // ---- assets ----

  public static Path assets(Path folder) {
    return folder.resolve("assets");
  }

  /** The files of the model, by the tensors that are fed their paths. */
  public Map<String, Path> assets() {
    Map<String, Path> assets = new LinkedHashMap<>();
    for (AssetFileDef asset : assetDefs()) {
      assets.put(asset.getTensorInfo().getName(), assetPath(asset.getFilename()));
    }
    return assets;
  }

  private List<AssetFileDef> assetDefs() {
    if (message.getAssetFileDefCount() > 0) {
      return message.getAssetFileDefList();
    }
    List<AssetFileDef> assets = new ArrayList<>();
    CollectionDef collection =
        message.getCollectionDefOrDefault(ASSETS, CollectionDef.getDefaultInstance());
    try {
      for (Any any : collection.getAnyList().getValueList()) {
        assets.add(AssetFileDef.parseFrom(any.getValue()));
      }
      for (ByteString bytes : collection.getBytesList().getValueList()) {
        assets.add(AssetFileDef.parseFrom(bytes));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "collection '" + ASSETS + "' of " + folder + " cannot be read: " + e.getMessage(),
          e);
    }
    return assets;
  }

  /** A name that leads out of the folder could make the model read any file. */
  private Path assetPath(String name) {
    Path all = assets(folder).normalize();
    try {
      Path file = all.resolve(name).normalize();
      if (!name.isEmpty() && file.startsWith(all) && !file.equals(all)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // Reported below.
    }
    throw TributaryException.invalidArgument(
        "the SavedModel %s names an asset '%s' that is not a file of its folder assets",
        folder, name);
  }

  // ---- nodes ----

  /** A graph without the devices of the machine that it was built on. */
  public static GraphDef withoutDevices(GraphDef def) {
    GraphDef.Builder graph = def.toBuilder();
    graph.getNodeBuilderList().forEach(node -> node.clearDevice());
    graph
        .getLibraryBuilder()
        .getFunctionBuilderList()
        .forEach(function -> function.getNodeDefBuilderList().forEach(node -> node.clearDevice()));
    return graph.build();
  }

  /** The nodes that a signature fetches. */
  public static List<String> roots(SignatureDef signature) {
    List<String> roots = new ArrayList<>();
    signature.getOutputsMap().values().forEach(info -> tensors(info).forEach(roots::add));
    return roots.stream().map(SavedMetaGraph::operationOf).toList();
  }

  /** The names of all tensors that a TensorInfo stands for. */
  public static List<String> tensors(TensorInfo info) {
    return switch (info.getEncodingCase()) {
      case NAME -> List.of(info.getName());
      case COO_SPARSE ->
          List.of(
              info.getCooSparse().getIndicesTensorName(),
              info.getCooSparse().getValuesTensorName(),
              info.getCooSparse().getDenseShapeTensorName());
      case COMPOSITE_TENSOR ->
          info.getCompositeTensor().getComponentsList().stream()
              .flatMap(component -> tensors(component).stream())
              .toList();
      case ENCODING_NOT_SET -> List.of();
    };
  }

  /** The operation of a name that may be a tensor's. */
  public static String operationOf(String name) {
    return name.isEmpty() ? name : TensorName.parse(name).operation();
  }
}
