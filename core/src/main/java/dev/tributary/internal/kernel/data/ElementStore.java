package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.StoredElements;
import dev.tributary.internal.file.FileRoot;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A folder in which elements are saved, as a stage uses it.
 *
 * @param stage names it in messages
 * @param folder as the op got it
 * @param part the folder in it, empty if there is none
 * @param spec of the elements
 */
record ElementStore(
    String stage, String folder, String part, ElementSpec spec, StoredElements.Format format) {
  /** The shards of a finished run, if there is one. */
  Optional<List<String>> shards(FileRoot files) {
    return StoredElements.shards(files, path(files), spec.types());
  }

  TributaryException nothingSaved() {
    return TributaryException.notFound(
        "no elements are saved in '%s': give a folder that `save` has completed", folder);
  }

  StoredElements.Writer begin(FileRoot files) {
    return StoredElements.begin(files, path(files), spec.types(), format);
  }

  private Path path(FileRoot files) {
    Path path = files.resolve(folder);
    return part.isEmpty() ? path : path.resolve(part);
  }

  StoredElements.Reader open(FileRoot files, String shard) {
    return StoredElements.open(files, shard, spec.types(), format);
  }

  /** The elements of one shard. */
  Dataset shard(String folder) {
    return new Dataset(
        stage, spec, List.of(), () -> {}, context -> new ShardIterator(context, this, folder));
  }
}
