package dev.tributary.internal.bundle;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordReader;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.tensorflow.proto.data.experimental.Snapshot.SnapshotMetadataRecord;

/**
 * The elements of a dataset in TFRecord files, as TensorFlow's {@code save} and {@code snapshot}
 * lay them out: a folder with the metadata of its newest run, in it a folder for each run, in that
 * one for each shard, and in these files of records, a tensor message for each component of each
 * element. Metadata that say that their run was finished are written last.
 */
public final class StoredElements {
  private static final String METADATA = "snapshot.metadata";
  private static final String CHUNK = "00000000.snapshot";

  /** Runs have numbers; anything else may lead elsewhere. */
  private static final Pattern RUN = Pattern.compile("\\d+");

  /** The version whose files are TFRecord files. */
  private static final long VERSION = 2;

  private StoredElements() {}

  /**
   * The form of the records.
   *
   * @param write the message of a tensor
   * @param read the tensor of a message
   */
  public record Format(
      Compression compression,
      Function<Tensor, byte[]> write,
      BiFunction<Allocator, byte[], Tensor> read) {}

  // ---- reading ----

  /**
   * The folders of the shards of the newest run, in their order, or nothing if there is no finished
   * run.
   */
  public static Optional<List<String>> shards(FileRoot files, Path folder, List<DataType> types) {
    Optional<SnapshotMetadataRecord> metadata = metadata(files, folder.resolve(METADATA));
    if (metadata.isEmpty() || !metadata.get().getFinalized()) {
      return Optional.empty();
    }
    requireReadable(folder, metadata.get(), types);
    Path run = folder.resolve(metadata.get().getRunId());
    try {
      return Optional.of(files.list(run).stream().map(Path::toString).toList());
    } catch (IOException e) {
      throw FileFailure.of("list", run, e);
    }
  }

  private static Optional<SnapshotMetadataRecord> metadata(FileRoot files, Path path) {
    try {
      return Optional.of(SnapshotMetadataRecord.parseFrom(files.read(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS, path + " is damaged: it holds no metadata of saved elements", e);
    } catch (IOException e) {
      throw FileFailure.of("read", path, e);
    }
  }

  private static void requireReadable(
      Path folder, SnapshotMetadataRecord metadata, List<DataType> types) {
    if (!RUN.matcher(metadata.getRunId()).matches()) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS, folder + ": the metadata name no run of saved elements");
    }
    if (metadata.getVersion() != VERSION) {
      throw TributaryException.unimplemented(
          "%s: elements are saved in version %d of the files, and only version %d can be read:"
              + " save them again with a newer TensorFlow",
          folder, metadata.getVersion(), VERSION);
    }
    List<Integer> wanted = types.stream().map(DataType::number).toList();
    if (metadata.getDtypeCount() > 0 && !metadata.getDtypeValueList().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "%s: the saved elements have components of types %s, but %s are expected",
          folder, metadata.getDtypeList(), types);
    }
  }

  /** Reads the elements of a shard in their order. Confined to one thread at a time. */
  public static final class Reader implements AutoCloseable {
    private final FileRoot files;
    private final Format format;
    private final List<DataType> types;
    private final List<Path> chunks;
    private int chunk;
    private Optional<RecordReader> records = Optional.empty();

    private Reader(FileRoot files, Format format, List<DataType> types, List<Path> chunks) {
      this.files = files;
      this.format = format;
      this.types = types;
      this.chunks = chunks;
    }

    /** The components of the next element, for the caller to close, or nothing at the end. */
    public Optional<Tensor[]> next(Allocator allocator) {
      Optional<byte[]> first = Optional.empty();
      while (first.isEmpty() && (records.isPresent() || chunk < chunks.size())) {
        if (records.isEmpty()) {
          records = Optional.of(open(chunks.get(chunk)));
        }
        first = records.get().next();
        if (first.isEmpty()) {
          records.get().close();
          records = Optional.empty();
          chunk++;
        }
      }
      return first.map(message -> element(allocator, message));
    }

    private RecordReader open(Path path) {
      try {
        return RecordReader.of(path, files.stream(path), format.compression());
      } catch (IOException e) {
        throw FileFailure.of("read saved elements", path, e);
      }
    }

    private Tensor[] element(Allocator allocator, byte[] first) {
      Tensor[] element = new Tensor[types.size()];
      try {
        for (int i = 0; i < element.length; i++) {
          byte[] message = i == 0 ? first : records.orElseThrow().next().orElseThrow(this::cut);
          element[i] = format.read().apply(allocator, message);
          requireType(element[i], i);
        }
        return element;
      } catch (RuntimeException e) {
        for (Tensor component : element) {
          if (component != null) {
            component.close();
          }
        }
        throw e;
      }
    }

    private TributaryException cut() {
      return new TributaryException(
          ErrorCode.DATA_LOSS, chunks.get(chunk) + " ends in the middle of an element");
    }

    private void requireType(Tensor component, int i) {
      if (component.type() != types.get(i)) {
        throw TributaryException.invalidArgument(
            "%s: component %d of an element is %s, but %s is expected",
            chunks.get(chunk), i, component.type().lowerName(), types.get(i).lowerName());
      }
    }

    @Override
    public void close() {
      records.ifPresent(RecordReader::close);
      records = Optional.empty();
    }
  }

  /**
   * @param shard a folder with the files of one shard
   */
  public static Reader open(FileRoot files, String shard, List<DataType> types, Format format) {
    Path folder = files.resolve(shard);
    try {
      return new Reader(files, format, types, files.list(folder));
    } catch (IOException e) {
      throw FileFailure.of("list", folder, e);
    }
  }

  // ---- writing ----

  /** Begins a run, which takes the place of others when it is finished. */
  public static Writer begin(FileRoot files, Path folder, List<DataType> types, Format format) {
    Writer writer = new Writer(files, folder, types, format);
    writer.describe(false);
    return writer;
  }

  /** Writes elements to shards. Confined to one thread at a time. */
  public static final class Writer implements AutoCloseable {
    private final FileRoot files;
    private final Path folder;
    private final Format format;
    private final List<DataType> types;
    private final String run = Long.toUnsignedString(ThreadLocalRandom.current().nextLong());
    private final TreeMap<Long, RecordWriter> shards = new TreeMap<>();
    private long elements;

    private Writer(FileRoot files, Path folder, List<DataType> types, Format format) {
      this.files = files;
      this.folder = folder;
      this.types = types;
      this.format = format;
    }

    /** Adds an element, whose components stay the caller's. */
    public void add(long shard, Tensor[] element) {
      RecordWriter writer = shards.computeIfAbsent(shard, this::shard);
      for (Tensor component : element) {
        writer.write(format.write().apply(component));
      }
      elements++;
    }

    private RecordWriter shard(long shard) {
      if (shard < 0) {
        throw TributaryException.invalidArgument(
            "the shard of an element is %d: the shard function must return 0 or more", shard);
      }
      Path chunk =
          folder
              .resolve(run)
              .resolve(String.format(Locale.ROOT, "%08d.shard", shard))
              .resolve(CHUNK);
      try {
        files.makeFolder(chunk.getParent());
        return RecordWriter.of(chunk, files.sink(chunk), format.compression());
      } catch (IOException e) {
        throw FileFailure.of("write saved elements", chunk, e);
      }
    }

    /** Completes the run. */
    public void finish() {
      if (shards.isEmpty()) {
        shards.put(0L, shard(0));
      }
      close();
      describe(true);
    }

    private void describe(boolean isFinished) {
      SnapshotMetadataRecord metadata =
          SnapshotMetadataRecord.newBuilder()
              .setRunId(run)
              .setCreationTimestamp(System.currentTimeMillis() * 1000)
              .setVersion(VERSION)
              .addAllDtypeValue(types.stream().map(DataType::number).toList())
              .setNumElements(elements)
              .setFinalized(isFinished)
              .build();
      Path made = folder.resolve(METADATA + "-tmp-" + run);
      try {
        files.write(made, metadata.toByteArray());
        Files.move(made, folder.resolve(METADATA), StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw FileFailure.of("write", made, e);
      }
    }

    @Override
    public void close() {
      List<RecordWriter> open = new ArrayList<>(shards.values());
      shards.clear();
      open.forEach(RecordWriter::close);
    }
  }
}
