package dev.tributary.internal.bundle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a checkpoint. The index is read and checked at once; tensors are read and checked when
 * asked for. Guarded by its own monitor as to the open files; tensors may be read by many threads.
 *
 * <pre>{@code
 * try (BundleReader checkpoint = BundleReader.open(Path.of("model/model.ckpt-100"));
 *     Tensor weights = checkpoint.read("dense/kernel")) { ... }
 * }</pre>
 */
public final class BundleReader implements AutoCloseable {
  private static final int MOST_NAMES_IN_ERROR = 20;

  private final FileRoot files;
  private final VariantForm variants;
  private final Path prefix;
  private final BundleIndex index;

  /** The slices of a checkpoint of the first version. */
  private final Optional<V1Checkpoint> first;

  @GuardedBy("this")
  private final Map<Integer, ShardReader> shards = new HashMap<>();

  private BundleReader(
      FileRoot files,
      VariantForm variants,
      Path prefix,
      BundleIndex index,
      Optional<V1Checkpoint> first) {
    this.files = files;
    this.variants = variants;
    this.prefix = prefix;
    this.index = index;
    this.first = first;
  }

  public static BundleReader open(Path prefix) {
    return open(FileRoot.anywhere(), prefix);
  }

  /**
   * The same, of a checkpoint whose files are to be among these. A prefix without an index may be
   * the file of a checkpoint of the first version, or a pattern of several.
   */
  public static BundleReader open(FileRoot files, Path prefix) {
    return open(files, prefix, VariantForm.NONE);
  }

  /** The same with tensors of variants among those to read. */
  public static BundleReader open(FileRoot files, Path prefix, VariantForm variants) {
    List<Path> old =
        Files.exists(BundleFiles.index(prefix)) ? List.of() : V1Checkpoint.files(files, prefix);
    if (old.isEmpty()) {
      return new BundleReader(
          files, variants, prefix, BundleIndex.read(files, prefix), Optional.empty());
    }
    V1Checkpoint first = V1Checkpoint.read(files, old);
    return new BundleReader(files, variants, prefix, first.index(), Optional.of(first));
  }

  /** The names of all tensors, sorted. */
  public List<String> names() {
    return index.entries().keySet().stream()
        .filter(key -> !BundleIndex.isSliceKey(key))
        .map(BundleIndex::name)
        .toList();
  }

  public int shardCount() {
    return index.shards();
  }

  /** The data files of this checkpoint's tensors that do not exist. */
  public List<Path> missingFiles() {
    if (first.isPresent()) {
      return List.of(); // They were read when the checkpoint was opened.
    }
    return names().stream()
        .map(name -> entry(name).shard())
        .distinct()
        .sorted()
        .map(shard -> BundleFiles.data(prefix, shard, index.shards()))
        .filter(Files::notExists)
        .toList();
  }

  public Optional<BundleEntry> find(String name) {
    return Optional.ofNullable(index.entries().get(BundleIndex.key(name)));
  }

  /** Returns the entry of a tensor; NOT_FOUND lists the names that exist. */
  public BundleEntry entry(String name) {
    return find(name).orElseThrow(() -> missing(name));
  }

  /** A whole tensor, for the caller to close. */
  public Tensor read(String name) {
    return read(Allocator.shared(), name);
  }

  /** A whole tensor, for the caller to close. */
  public Tensor read(Allocator allocator, String name) {
    return read(allocator, name, TensorSlice.whole(entry(name).shape().rank()));
  }

  /** A part of a tensor, for the caller to close; it need not be one of those that were saved. */
  public Tensor read(Allocator allocator, String name, TensorSlice slice) {
    BundleEntry entry = entry(name);
    slice.shapeIn(entry.shape());
    if (!entry.isSliced()) {
      Tensor whole = readWhole(allocator, name, entry);
      return slice.isWhole() ? whole : part(allocator, entry, slice, whole);
    }
    return fromSlices(allocator, name, entry, slice);
  }

  @Override
  public synchronized void close() {
    shards.values().forEach(ShardReader::close);
    shards.clear();
  }

  private static Tensor part(
      Allocator allocator, BundleEntry entry, TensorSlice slice, Tensor whole) {
    try (whole) {
      Tensor part = Tensor.allocate(allocator, entry.type(), slice.shapeIn(entry.shape()));
      Overlap.of(TensorSlice.whole(slice.rank()), slice, entry.shape())
          .ifPresent(overlap -> overlap.copy(whole, part));
      return part;
    }
  }

  private Tensor fromSlices(
      Allocator allocator, String name, BundleEntry entry, TensorSlice slice) {
    if (entry.slices().contains(slice)) {
      return readStored(allocator, name, entry, slice);
    }
    requireDisjoint(name, entry);
    Tensor result = Tensor.allocate(allocator, entry.type(), slice.shapeIn(entry.shape()));
    try {
      long found = 0;
      for (TensorSlice stored : entry.slices()) {
        Optional<Overlap> overlap = Overlap.of(stored, slice, entry.shape());
        if (overlap.isPresent()) {
          try (Tensor part = readStored(allocator, name, entry, stored)) {
            overlap.get().copy(part, result);
          }
          found += overlap.get().elementCount();
        }
      }
      if (found < result.elementCount()) {
        throw TributaryException.invalidArgument(
            "checkpoint %s holds slices %s of tensor '%s' %s, which do not cover slice '%s'",
            prefix, entry.slices(), name, entry.shape(), slice);
      }
      return result;
    } catch (RuntimeException e) {
      result.close();
      throw e;
    }
  }

  /** Slices which share no element cover a tensor if together they have as many as it. */
  private void requireDisjoint(String name, BundleEntry entry) {
    List<TensorSlice> slices = entry.slices();
    for (int i = 0; i < slices.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (Overlap.of(slices.get(i), slices.get(j), entry.shape()).isPresent()) {
          throw damaged(
              name, "its slices '" + slices.get(j) + "' and '" + slices.get(i) + "' overlap");
        }
      }
    }
  }

  private Tensor readWhole(Allocator allocator, String name, BundleEntry entry) {
    return first.isPresent()
        ? first
            .get()
            .read(name, TensorSlice.whole(entry.shape().rank()), entry.type(), entry.shape())
        : readStored(allocator, name, entry);
  }

  private Tensor readStored(
      Allocator allocator, String name, BundleEntry whole, TensorSlice slice) {
    if (first.isPresent()) {
      return first.get().read(name, slice, whole.type(), slice.shapeIn(whole.shape()));
    }
    BundleEntry part = index.entries().get(BundleIndex.key(name, slice));
    if (part == null) {
      throw damaged(name, "its slice '" + slice + "' is listed but not there");
    }
    if (part.type() != whole.type() || !part.shape().equals(slice.shapeIn(whole.shape()))) {
      throw damaged(name, "its slice '" + slice + "' has another type or shape");
    }
    return readStored(allocator, name + " " + slice, part);
  }

  private Tensor readStored(Allocator allocator, String name, BundleEntry entry) {
    return shard(entry.shard()).read(allocator, name, entry);
  }

  private synchronized ShardReader shard(int number) {
    return shards.computeIfAbsent(
        number,
        key -> new ShardReader(files, BundleFiles.data(prefix, key, index.shards()), variants));
  }

  private TributaryException missing(String name) {
    List<String> names = names();
    List<String> shown = names.subList(0, Math.min(names.size(), MOST_NAMES_IN_ERROR));
    return TributaryException.notFound(
        "Key %s not found in checkpoint %s; it has %s%s",
        name,
        prefix,
        shown,
        shown.size() < names.size() ? " and " + (names.size() - shown.size()) + " more" : "");
  }

  private TributaryException damaged(String name, String how) {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "tensor '" + name + "' in checkpoint " + prefix + ": " + how);
  }
}
