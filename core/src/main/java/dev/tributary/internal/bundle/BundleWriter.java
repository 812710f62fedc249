package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.PartFile;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes a checkpoint of one shard. Nothing stands under its name before {@link #finish}; then the
 * data comes first and the index last, so that an index means that all is there. Closed without
 * that, it leaves nothing behind. Confined to one thread.
 */
public final class BundleWriter implements CheckpointWriter, AutoCloseable {
  private final FileRoot files;
  private final Path prefix;
  private final ShardWriter shard;
  private final SortedMap<String, BundleEntry> entries = new TreeMap<>();

  private BundleWriter(FileRoot files, Path prefix, VariantForm variants, Runnable between) {
    this.files = files;
    this.prefix = prefix;
    this.shard = new ShardWriter(BundleFiles.data(prefix, 0, 1), variants, between);
  }

  /** Begins a checkpoint, in a folder that is made if there is none. */
  public static BundleWriter create(Path prefix) {
    return create(FileRoot.anywhere(), prefix, () -> {});
  }

  /**
   * The same with breaks.
   *
   * @param files those that may be read, should a checkpoint of that name be there already
   * @param between run after each piece of a large tensor; it may rest, or throw to end the work
   */
  public static BundleWriter create(FileRoot files, Path prefix, Runnable between) {
    return create(files, prefix, VariantForm.NONE, between);
  }

  /** The same with tensors of variants among those to save. */
  public static BundleWriter create(
      FileRoot files, Path prefix, VariantForm variants, Runnable between) {
    return new BundleWriter(files, prefix, variants, between);
  }

  @Override
  public void add(String name, Tensor tensor) {
    put(name, BundleIndex.key(name), tensor);
  }

  @Override
  public void add(String name, ShapeAndSlice part, Tensor tensor) {
    if (!tensor.shape().equals(part.sliceShape())) {
      throw TributaryException.invalidArgument(
          "tensor '%s' is to be saved as slice '%s' of shape %s, but it has shape %s",
          name, part, part.sliceShape(), tensor.shape());
    }
    if (part.slice().isWhole()) {
      add(name, tensor);
      return;
    }
    addToSlices(name, part.shape(), part.slice(), tensor);
    put(name, BundleIndex.key(name, part.slice()), tensor);
  }

  /**
   * Brings everything to the disk and gives the files their names. A checkpoint of the same name
   * stays usable until the new one is, see {@link ReplacedBundle}.
   */
  public void finish() {
    try (PartFile index = new BundleIndex(1, entries).begin(prefix)) {
      shard.complete();
      ReplacedBundle replaced = ReplacedBundle.withdraw(files, prefix);
      shard.commit();
      index.commit();
      replaced.delete();
    }
    InterruptedSaves.removeOld(prefix);
  }

  @Override
  public void close() {
    shard.close();
  }

  private void put(String name, String key, Tensor tensor) {
    if (name.isEmpty() || entries.containsKey(key)) {
      throw TributaryException.invalidArgument(
          "checkpoint %s: %s",
          prefix, name.isEmpty() ? "a tensor has no name" : "Adding duplicate key: " + name);
    }
    try {
      entries.put(key, shard.write(tensor));
    } catch (TributaryException e) {
      throw e.at("tensor '" + name + "' " + tensor.shape());
    }
  }

  private void addToSlices(String name, Shape full, TensorSlice slice, Tensor tensor) {
    String key = BundleIndex.key(name);
    BundleEntry before = entries.get(key);
    List<TensorSlice> slices = new ArrayList<>();
    if (before != null) {
      if (before.type() != tensor.type() || !before.shape().equals(full) || !before.isSliced()) {
        throw TributaryException.invalidArgument(
            "checkpoint %s: slices of '%s' are said to be of a %s tensor %s and of a %s tensor %s",
            prefix,
            name,
            before.type().lowerName(),
            before.shape(),
            tensor.type().lowerName(),
            full);
      }
      slices.addAll(before.slices());
    }
    slices.add(slice);
    entries.put(key, BundleEntry.ofSlices(tensor.type(), full, slices));
  }
}
