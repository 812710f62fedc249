package dev.tributary.train.savedmodel;

import com.google.protobuf.Any;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.internal.bundle.ShapeAndSlice;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.PartFile;
import dev.tributary.ops.LookupOps;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.internal.savedmodel.SavedMetaGraph;
import dev.tributary.train.internal.savedmodel.SavedModelFile;
import dev.tributary.train.saver.MetaGraphs;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.tensorflow.proto.AssetFileDef;
import org.tensorflow.proto.CollectionDef;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.TensorInfo;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Writes a SavedModel in the style of TensorFlow 1, which all of its loaders take.
 *
 * <p>The saver and the init op are added to a copy of the graph, so that the program's own, which
 * may be final, stays as it is. All files are written to a folder beside the wanted one, which is
 * renamed when it is complete. Confined to one thread.
 */
final class SavedModelWriter {
  /** One meta graph. */
  private record Part(
      Session session, SavedSignatures signatures, Set<String> tags, SavedAssets assets) {}

  private final List<Part> parts = new ArrayList<>();

  SavedModelWriter(List<SavedModel.Variant> variants) {
    if (variants.isEmpty()) {
      throw TributaryException.invalidArgument("a SavedModel needs a meta graph or more, got none");
    }
    Map<Path, String> files = new LinkedHashMap<>();
    for (SavedModel.Variant variant : variants) {
      Session session = variant.session();
      parts.add(
          new Part(
              session,
              new SavedSignatures(session.graph(), variant.signatures()),
              new TreeSet<>(variant.tags()),
              SavedAssets.of(session, files)));
    }
  }

  void write(Path folder) {
    parts.forEach(part -> part.signatures.check());
    requireFree(folder);
    Path target = folder.toAbsolutePath().normalize();
    Path part = beside(target);
    try {
      writeVariables(part);
      parts.get(0).assets.copyTo(SavedMetaGraph.assets(part));
      PartFile.write(part.resolve(SavedModelFile.BINARY), message().toByteArray());
      Files.deleteIfExists(target);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw FileFailure.of("write SavedModel", folder, e);
    } finally {
      deleteAll(part);
    }
  }

  private static void requireFree(Path folder) {
    try {
      if (Files.exists(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          if (files.findAny().isPresent()) {
            throw new TributaryException(
                ErrorCode.ALREADY_EXISTS,
                "folder " + folder + " is not empty: save the model to a new folder");
          }
        }
      }
    } catch (IOException e) {
      throw FileFailure.of("write SavedModel", folder, e);
    }
  }

  /**
   * A new folder with ordinary permissions, since servers of other users may read the model. Its
   * name is not a number, so that a server that watches the folder above does not take it for a
   * version.
   */
  private static Path beside(Path target) {
    String name =
        String.format(
            Locale.ROOT,
            "temp-%s-%016x",
            target.getFileName(),
            ThreadLocalRandom.current().nextLong());
    try {
      Files.createDirectories(target.getParent());
      return Files.createDirectory(target.resolveSibling(name));
    } catch (IOException e) {
      throw FileFailure.of("write SavedModel", target, e);
    }
  }

  private static void deleteAll(Path part) {
    if (!Files.exists(part)) {
      return;
    }
    try (Stream<Path> files = Files.walk(part)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw FileFailure.of("remove unfinished SavedModel", part, e);
    }
  }

  // ---- variables ----

  /** Writes the variables of the first meta graph, which all others share. */
  private void writeVariables(Path part) {
    Session session = parts.get(0).session;
    List<Variable> variables = Variables.global(session.graph());
    if (variables.isEmpty()) {
      return;
    }
    try (StepResult values =
            session.runner().fetch(variables.stream().map(Variable::value).toList()).run();
        BundleWriter checkpoint = BundleWriter.create(SavedMetaGraph.variables(part))) {
      for (int i = 0; i < variables.size(); i++) {
        Optional<VariableSlice> slice = variables.get(i).slice().filter(known -> !known.isWhole());
        if (slice.isPresent()) {
          checkpoint.add(
              slice.get().fullName(), ShapeAndSlice.parse(slice.get().spec()), values.get(i));
        } else {
          checkpoint.add(nameOf(variables.get(i)), values.get(i));
        }
      }
      checkpoint.finish();
    }
  }

  private static String nameOf(Variable variable) {
    return variable.slice().map(VariableSlice::fullName).orElseGet(variable::name);
  }

  // ---- message ----

  private org.tensorflow.proto.SavedModel message() {
    org.tensorflow.proto.SavedModel.Builder model =
        org.tensorflow.proto.SavedModel.newBuilder().setSavedModelSchemaVersion(1);
    parts.forEach(part -> model.addMetaGraphs(metaGraph(part)));
    return model.build();
  }

  private static MetaGraphDef metaGraph(Part part) {
    try (Graph copy = Ops.create().graph()) {
      MetaGraphs.importInto(copy, withoutDevices(MetaGraphs.toProto(part.session.graph())));
      Ops tf = new Ops(copy.scope());
      Optional<Operation> init = initOperation(tf);
      Optional<Saver> saver =
          Variables.global(copy).isEmpty() ? Optional.empty() : Optional.of(Saver.of(copy));
      MetaGraphDef.Builder meta =
          saver
              .map(known -> MetaGraphs.toProto(copy, known))
              .orElseGet(() -> MetaGraphs.toProto(copy))
              .toBuilder();
      meta.getMetaInfoDefBuilder()
          .addAllTags(part.tags)
          .setStrippedOpList(GraphDefs.opList(copy))
          .setTensorflowVersion("1.15.0");
      part.signatures.addTo(meta);
      init.ifPresent(operation -> addInit(meta, operation.name()));
      addAssets(part.assets, meta);
      return meta.build();
    }
  }

  private static MetaGraphDef withoutDevices(MetaGraphDef meta) {
    return meta.toBuilder().setGraphDef(SavedMetaGraph.withoutDevices(meta.getGraphDef())).build();
  }

  /** The main op that the graph names, or else one that fills all tables, if there are any. */
  private static Optional<Operation> initOperation(Ops tf) {
    List<Object> named = tf.graph().collection(GraphKeys.MAIN_OP);
    if (!named.isEmpty()) {
      return Optional.of((Operation) named.get(0));
    }
    return tf.graph().collection(LookupOps.TABLE_INITIALIZERS).isEmpty()
        ? Optional.empty()
        : Optional.of(tf.lookup.tablesInitializer());
  }

  private static void addInit(MetaGraphDef.Builder meta, String operation) {
    CollectionDef.Builder collection = CollectionDef.newBuilder();
    collection.getNodeListBuilder().addValue(operation);
    meta.putCollectionDef(SavedMetaGraph.MAIN_OP, collection.build());
    meta.putSignatureDef(
        SavedMetaGraph.INIT_OP_SIGNATURE,
        org.tensorflow.proto.SignatureDef.newBuilder()
            .putOutputs(
                SavedMetaGraph.INIT_OP_SIGNATURE,
                TensorInfo.newBuilder()
                    .setName(operation)
                    .setTensorShape(TensorShapeProto.newBuilder().setUnknownRank(true))
                    .build())
            .build());
  }

  private static void addAssets(SavedAssets assets, MetaGraphDef.Builder meta) {
    List<AssetFileDef> defs = assets.toProtos();
    if (!defs.isEmpty()) {
      CollectionDef.Builder collection = CollectionDef.newBuilder();
      defs.forEach(def -> collection.getAnyListBuilder().addValue(Any.pack(def)));
      meta.addAllAssetFileDef(defs).putCollectionDef(SavedMetaGraph.ASSETS, collection.build());
    }
  }
}
