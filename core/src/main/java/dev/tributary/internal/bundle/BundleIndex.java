package dev.tributary.internal.bundle;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.PartFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.tensorflow.proto.BundleHeaderProto;
import org.tensorflow.proto.VersionDef;

/**
 * The index of a checkpoint: how many shards it has, and an entry for each key. Keys are strings of
 * one character a byte. Immutable.
 */
record BundleIndex(int shards, SortedMap<String, BundleEntry> entries) {
  private static final int VERSION = 1;
  private static final String HEADER_KEY = "";

  BundleIndex {
    entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  /** The key of the tensor of that name. */
  static String key(String name) {
    return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** The key of one slice of the tensor of that name. */
  static String key(String name, TensorSlice slice) {
    return new String(OrderedCode.sliceKey(name, slice), StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the key is that of a slice. */
  static boolean isSliceKey(String key) {
    return key.charAt(0) == 0;
  }

  /** The name that a key stands for, if it is not a slice's. */
  static String name(String key) {
    return new String(bytes(key), StandardCharsets.UTF_8);
  }

  static BundleIndex read(FileRoot files, Path prefix) {
    Path path = BundleFiles.index(prefix);
    SortedMap<String, byte[]> table = TableReader.read(files, path);
    byte[] header = table.get(HEADER_KEY);
    if (header == null) {
      throw damaged(path, "it has no header");
    }
    SortedMap<String, BundleEntry> entries = new TreeMap<>();
    int shards = shards(path, header);
    for (Map.Entry<String, byte[]> row : table.tailMap(HEADER_KEY + '\0').entrySet()) {
      entries.put(row.getKey(), entry(path, row.getKey(), row.getValue(), shards));
    }
    return new BundleIndex(shards, entries);
  }

  /** Finds fault with the data files beside the index, as far as their sizes show it. */
  Optional<String> problem(Path prefix) {
    long[] needed = new long[shards];
    for (BundleEntry entry : entries.values()) {
      long end = entry.offset() + entry.size();
      needed[entry.shard()] = Math.max(needed[entry.shard()], end < 0 ? Long.MAX_VALUE : end);
    }
    for (int i = 0; i < shards; i++) {
      Path file = BundleFiles.data(prefix, i, shards);
      try {
        long size = Files.size(file);
        if (size < needed[i]) {
          return Optional.of(
              String.format(
                  "its data file %s has %d bytes, %d are needed",
                  file.getFileName(), size, needed[i]));
        }
      } catch (NoSuchFileException e) {
        return Optional.of("its data file " + file.getFileName() + " is missing");
      } catch (IOException e) {
        return Optional.of(FileFailure.of("look at checkpoint data", file, e).getMessage());
      }
    }
    return Optional.empty();
  }

  /** Writes the index to the disk, for the caller to commit and to close. */
  PartFile begin(Path prefix) {
    BundleHeaderProto header =
        BundleHeaderProto.newBuilder()
            .setNumShards(shards)
            .setVersion(VersionDef.newBuilder().setProducer(VERSION))
            .build();
    PartFile file = PartFile.create(BundleFiles.index(prefix));
    try {
      TableWriter table = new TableWriter(file);
      table.add(bytes(HEADER_KEY), header.toByteArray());
      entries.forEach((key, entry) -> table.add(bytes(key), entry.toBytes()));
      table.finish();
      file.sync();
      return file;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static int shards(Path path, byte[] bytes) {
    BundleHeaderProto header;
    try {
      header = BundleHeaderProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw damaged(path, "its header cannot be read: " + e.getMessage());
    }
    if (header.getEndianness() != BundleHeaderProto.Endianness.LITTLE) {
      throw TributaryException.unimplemented(
          "checkpoint index %s is of a big-endian machine, which is not supported", path);
    }
    if (header.getVersion().getMinConsumer() > VERSION) {
      throw TributaryException.unimplemented(
          "checkpoint index %s wants a reader of version %d, this one has version %d",
          path, header.getVersion().getMinConsumer(), VERSION);
    }
    return header.getNumShards();
  }

  private static BundleEntry entry(Path path, String key, byte[] bytes, int shards) {
    BundleEntry entry;
    try {
      entry = BundleEntry.ofBytes(bytes);
    } catch (InvalidProtocolBufferException | TributaryException e) {
      throw damaged(path, "the entry of '" + name(key) + "' cannot be read: " + e.getMessage());
    }
    if (entry.shard() < 0 || entry.shard() >= shards) {
      throw damaged(
          path, "the entry of '" + name(key) + "' is in shard " + entry.shard() + " of " + shards);
    }
    return entry;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static TributaryException damaged(Path path, String how) {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "checkpoint index " + path + " is damaged: " + how);
  }
}
