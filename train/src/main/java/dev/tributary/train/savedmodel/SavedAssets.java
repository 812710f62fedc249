package dev.tributary.train.savedmodel;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.GraphKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AssetFileDef;
import org.tensorflow.proto.TensorInfo;
import org.tensorflow.proto.TensorShapeProto;

/**
 * The files that a graph reads and that a SavedModel must hold: those whose paths are in the
 * graph's collection {@code asset_filepaths}.
 *
 * @param names the names of the files in the model, by where they are now
 * @param tensors the files by the names of the tensors that hold their paths
 */
record SavedAssets(Map<Path, String> names, Map<String, Path> tensors) {
  /**
   * @param names the files of the whole model, to which those of this graph are added
   */
  static SavedAssets of(Session session, Map<Path, String> names) {
    Map<String, Path> tensors = new LinkedHashMap<>();
    for (Object element : session.graph().collection(GraphKeys.ASSET_FILEPATHS)) {
      if (element instanceof Output tensor) {
        Path file = path(session, tensor);
        tensors.put(tensor.name(), file);
        names.computeIfAbsent(file, key -> free(names, key.getFileName().toString()));
      }
    }
    return new SavedAssets(names, tensors);
  }

  private static Path path(Session session, Output tensor) {
    if (tensor.type() != DataType.STRING || !tensor.operation().type().equals("Const")) {
      throw TributaryException.invalidArgument(
          "%s in collection '%s' is not a constant path of a file",
          tensor, GraphKeys.ASSET_FILEPATHS);
    }
    Path file = Path.of(session.fetch(tensor).stringValue());
    if (!Files.isRegularFile(file)) {
      throw TributaryException.notFound(
          "the model reads %s, named by %s, but the file does not exist", file, tensor.name());
    }
    return file.toAbsolutePath().normalize();
  }

  /** Files of the same name from several folders get numbers. */
  private static String free(Map<Path, String> names, String wanted) {
    String name = wanted;
    for (int i = 1; names.containsValue(name); i++) {
      name = wanted + "_" + i;
    }
    return name;
  }

  void copyTo(Path folder) {
    names.forEach(
        (file, name) -> {
          try {
            Files.createDirectories(folder);
            Files.copy(file, folder.resolve(name));
          } catch (IOException e) {
            throw FileFailure.of("copy asset", file, e);
          }
        });
  }

  List<AssetFileDef> toProtos() {
    return tensors.entrySet().stream()
        .map(
            entry ->
                AssetFileDef.newBuilder()
                    .setTensorInfo(
                        TensorInfo.newBuilder()
                            .setName(entry.getKey())
                            .setDtype(org.tensorflow.proto.DataType.DT_STRING)
                            .setTensorShape(TensorShapeProto.getDefaultInstance()))
                    .setFilename(names.get(entry.getValue()))
                    .build())
        .toList();
  }
}
