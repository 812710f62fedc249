package dev.tributary.app.records;

import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.tensorflow.proto.Example;

/** Examples, by their numbers, that records are made of. Safe for use by many threads. */
interface ExampleSource {
  long count();

  /** The names of the classes in the order of their numbers, if the source has names. */
  default List<String> classes() {
    return List.of();
  }

  /** Passes on the examples whose numbers are this shard modulo the number of shards. */
  void read(int shard, int shards, Consumer<Example> to);

  /** The source at a path: a CSV file, a folder of folders of images, or images of an IDX file. */
  static ExampleSource at(Path path, Optional<Path> idxLabels, char delimiter, boolean hasHeader) {
    if (!Files.exists(path)) {
      throw TributaryException.notFound("there is no %s", path);
    }
    if (Files.isDirectory(path)) {
      return ImageFolder.of(path);
    }
    if (path.getFileName().toString().contains("-ubyte")) {
      return IdxImages.of(path, idxLabels);
    }
    return CsvTable.of(path, delimiter, hasHeader);
  }
}
