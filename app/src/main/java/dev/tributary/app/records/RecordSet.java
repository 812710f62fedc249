package dev.tributary.app.records;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.PartFile;
import dev.tributary.record.Compression;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that records of one source go into: {@code PREFIX-00000-of-00004.tfrecord} and so on,
 * and a manifest, which is written last.
 *
 * @param shards the number of files
 */
record RecordSet(Path prefix, int shards) {
  static final String MANIFEST = ".manifest.json";

  Path file(int shard) {
    return named(String.format("-%05d-of-%05d.tfrecord", shard, shards));
  }

  Path pattern() {
    return named(String.format("-*-of-%05d.tfrecord", shards));
  }

  Path manifest() {
    return named(MANIFEST);
  }

  Path folder() {
    return prefix.toAbsolutePath().getParent();
  }

  private Path named(String suffix) {
    return prefix.resolveSibling(prefix.getFileName() + suffix);
  }

  /** Returns how many of the source's examples are in a shard. */
  long count(int shard, long all) {
    return (all - shard + shards - 1) / shards;
  }

  boolean isWhole() {
    for (int i = 0; i < shards; i++) {
      if (!Files.exists(file(i))) {
        return false;
      }
    }
    return true;
  }

  void writeManifest(ExampleSource source, Compression compression) {
    JsonArray files = new JsonArray();
    for (int i = 0; i < shards; i++) {
      JsonObject file = new JsonObject();
      file.addProperty("name", file(i).getFileName().toString());
      file.addProperty("records", count(i, source.count()));
      file.addProperty("bytes", bytes(file(i)));
      files.add(file);
    }
    JsonArray labels = new JsonArray();
    source.classes().forEach(labels::add);
    JsonObject manifest = new JsonObject();
    manifest.addProperty("records", source.count());
    manifest.addProperty("compression", compression.attributeValue());
    manifest.add("files", files);
    if (!labels.isEmpty()) {
      manifest.add("labels", labels);
    }
    String text = new GsonBuilder().setPrettyPrinting().create().toJson(manifest) + "\n";
    PartFile.write(manifest(), text.getBytes(StandardCharsets.UTF_8));
  }

  private static long bytes(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
  }

  /** The files of a manifest with the numbers of their records; nothing for another file. */
  static Optional<Map<Path, Long>> listed(Path manifest) {
    if (!manifest.getFileName().toString().endsWith(MANIFEST)) {
      return Optional.empty();
    }
    Map<Path, Long> files = new LinkedHashMap<>();
    try {
      JsonObject json = JsonParser.parseString(Files.readString(manifest)).getAsJsonObject();
      for (JsonElement file : json.getAsJsonArray("files")) {
        files.put(
            manifest.resolveSibling(file.getAsJsonObject().get("name").getAsString()),
            file.getAsJsonObject().get("records").getAsLong());
      }
    } catch (IOException e) {
      throw FileFailure.of("read", manifest, e);
    } catch (JsonParseException
        | IllegalStateException
        | NullPointerException
        | UnsupportedOperationException
        | NumberFormatException e) {
      throw TributaryException.invalidArgument(
          "%s is no manifest of record files: %s", manifest, e.getMessage());
    }
    return Optional.of(files);
  }
}
