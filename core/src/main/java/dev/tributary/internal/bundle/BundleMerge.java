package dev.tributary.internal.bundle;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.PartFile;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes one checkpoint of several that different processes wrote: their data files are renamed to
 * shards of it, their indices are joined. The index of the result is written last, so that the
 * result is whole as soon as it is there. Confined to one thread.
 */
public final class BundleMerge {
  private final FileRoot files;
  private final Path destination;
  private final Map<Path, BundleIndex> parts = new LinkedHashMap<>();
  private final SortedMap<String, BundleEntry> entries = new TreeMap<>();

  private BundleMerge(FileRoot files, Path destination) {
    this.files = files;
    this.destination = destination;
  }

  /**
   * Merges the checkpoints of these prefixes into one, and removes what is left of them.
   *
   * @param files those that may be read
   * @param deleteFolders whether to remove the folders they lay in, if these are empty then
   * @param allowMissing whether to leave out prefixes of which there is no checkpoint
   */
  public static void run(
      FileRoot files,
      List<Path> prefixes,
      Path destination,
      boolean deleteFolders,
      boolean allowMissing) {
    BundleMerge merge = new BundleMerge(files, destination);
    for (Path prefix : prefixes) {
      merge.add(prefix, allowMissing);
    }
    merge.requireSomething(prefixes);
    try (PartFile index = new BundleIndex(merge.shards(), merge.entries).begin(destination)) {
      ReplacedBundle replaced = ReplacedBundle.withdraw(files, destination);
      merge.moveData();
      index.commit();
      replaced.delete();
      merge.removeParts(deleteFolders);
    } catch (IOException e) {
      throw FileFailure.of("merge checkpoints into", destination, e);
    }
    InterruptedSaves.removeOld(destination);
  }

  private void add(Path prefix, boolean allowMissing) {
    BundleIndex part;
    try {
      part = BundleIndex.read(files, prefix);
    } catch (TributaryException e) {
      if (e.code() == ErrorCode.NOT_FOUND && allowMissing) {
        return;
      }
      throw e;
    }
    int firstShard = shards();
    part.entries().forEach((key, entry) -> join(key, entry, firstShard));
    parts.put(prefix, part);
  }

  private void join(String key, BundleEntry entry, int firstShard) {
    BundleEntry before = entries.get(key);
    if (before == null) {
      entries.put(key, entry.isSliced() ? entry : entry.withShard(firstShard + entry.shard()));
      return;
    }
    boolean joins =
        before.isSliced()
            && entry.isSliced()
            && before.type() == entry.type()
            && before.shape().equals(entry.shape());
    if (!joins) {
      throw TributaryException.invalidArgument(
          "cannot merge checkpoints into %s: tensor '%s' is in more than one of them",
          destination, BundleIndex.name(key));
    }
    List<TensorSlice> slices = new ArrayList<>(before.slices());
    slices.addAll(entry.slices());
    entries.put(key, BundleEntry.ofSlices(entry.type(), entry.shape(), slices));
  }

  private void requireSomething(List<Path> prefixes) {
    if (parts.isEmpty()) {
      throw TributaryException.invalidArgument(
          "cannot merge checkpoints into %s: there are none of %s", destination, prefixes);
    }
  }

  private int shards() {
    return parts.values().stream().mapToInt(BundleIndex::shards).sum();
  }

  private void moveData() throws IOException {
    int shard = 0;
    for (Map.Entry<Path, BundleIndex> part : parts.entrySet()) {
      int count = part.getValue().shards();
      for (int i = 0; i < count; i++) {
        Files.move(
            BundleFiles.data(part.getKey(), i, count),
            BundleFiles.data(destination, shard++, shards()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private void removeParts(boolean deleteFolders) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (Path prefix : parts.keySet()) {
      if (!prefix.equals(destination)) {
        Files.deleteIfExists(BundleFiles.index(prefix));
      }
      folders.add(prefix.toAbsolutePath().getParent());
    }
    if (deleteFolders) {
      for (Path folder : folders) {
        removeIfEmpty(folder);
      }
    }
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // Others still use it, perhaps the result itself.
    }
  }
}
