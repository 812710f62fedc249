package dev.tributary.train.internal.savedmodel;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.wire.MessageFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.SavedModel;

/**
 * The message of a SavedModel and the folder that it was read from. Immutable.
 *
 * @param folder the folder of {@code saved_model.pb}
 */
public record SavedModelFile(Path folder, SavedModel message) {
  public static final String BINARY = "saved_model.pb";
  public static final String TEXT = "saved_model.pbtxt";

  /** Reads the message of a folder; NOT_FOUND if the folder has none. */
  public static SavedModelFile read(Path folder) {
    Path binary = folder.resolve(BINARY);
    Path text = folder.resolve(TEXT);
    if (!Files.exists(binary) && !Files.exists(text)) {
      throw TributaryException.notFound("%s is not a SavedModel: %s", folder, reason(folder));
    }
    SavedModel.Builder model = SavedModel.newBuilder();
    MessageFiles.read(Files.exists(binary) ? binary : text, "SavedModel", model);
    if (model.getMetaGraphsCount() == 0) {
      throw TributaryException.invalidArgument("the SavedModel %s has no meta graph", folder);
    }
    return new SavedModelFile(folder, model.build());
  }

  private static String reason(Path folder) {
    if (Files.isDirectory(folder)) {
      return "it has neither " + BINARY + " nor " + TEXT;
    }
    return Files.exists(folder)
        ? "it is a file; give the folder that has " + BINARY
        : "there is no such folder";
  }

  /** Returns the meta graph with exactly these tags; NOT_FOUND lists those that exist. */
  public SavedMetaGraph metaGraph(Set<String> tags) {
    for (MetaGraphDef meta : message.getMetaGraphsList()) {
      if (tags.equals(tags(meta))) {
        return new SavedMetaGraph(folder, meta);
      }
    }
    throw TributaryException.notFound(
        "the SavedModel %s has no meta graph with tags %s; it has %s",
        folder, new TreeSet<>(tags), tagSets());
  }

  /** All meta graphs, in the order of the file. */
  public List<SavedMetaGraph> metaGraphs() {
    return message.getMetaGraphsList().stream()
        .map(meta -> new SavedMetaGraph(folder, meta))
        .toList();
  }

  private List<Set<String>> tagSets() {
    return message.getMetaGraphsList().stream().map(SavedModelFile::tags).toList();
  }

  static Set<String> tags(MetaGraphDef meta) {
    return new TreeSet<>(meta.getMetaInfoDef().getTagsList());
  }
}
