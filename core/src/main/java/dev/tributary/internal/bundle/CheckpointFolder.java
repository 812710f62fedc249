package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The checkpoints of a folder when it was listed: those that its {@code checkpoint} file names, and
 * all others whose files are there. Immutable.
 *
 * <p>The newest is the one that the {@code checkpoint} file names as the latest, then the others
 * that it names, the last one first. Those it does not name come after them, except that one with a
 * higher step than the latest, written after the file, comes directly after the latest: its process
 * was killed before the file was. Among those that are not named the higher step is the newer one,
 * since a copied folder has lost the times of its files.
 *
 * <p>Data files without an index are a damaged checkpoint if there is a {@code .meta} file, which
 * is written last, or if the {@code checkpoint} file names it. Otherwise they are the remains of a
 * save that was interrupted.
 */
public final class CheckpointFolder {
  private static final String META = ".meta";

  private final Path folder;
  private final Optional<CheckpointState> state;
  private final Optional<String> stateProblem;
  private final Set<String> indices = new HashSet<>();
  private final Set<String> data = new HashSet<>();
  private final Set<String> metas = new HashSet<>();
  private final List<Path> newestFirst = new ArrayList<>();
  private final List<Path> newerThanState = new ArrayList<>();

  /**
   * The condition of a checkpoint, as far as can be seen without reading its tensors. Those of
   * TensorFlow's first version are read: they have no index.
   */
  public enum Condition {
    /** The index is right, and all data files are there and long enough. */
    INTACT,
    /** Some of its files are there, but they cannot be used. */
    DAMAGED,
    /** None of its files is there, or they can be seen by other machines only. */
    ABSENT
  }

  /**
   * A checkpoint that was checked.
   *
   * @param problem what is wrong with it; empty if it is intact
   */
  public record Checked(Path prefix, Condition condition, String problem) {
    public boolean isIntact() {
      return condition == Condition.INTACT;
    }
  }

  private CheckpointFolder(Path folder) {
    this.folder = folder;
    scan();
    Optional<CheckpointState> read = Optional.empty();
    Optional<String> problem;
    try {
      read = CheckpointState.read(folder);
      problem = read.isPresent() ? Optional.empty() : Optional.of(stateProblem(folder));
    } catch (TributaryException e) {
      problem = Optional.of(e.getMessage());
    }
    this.state = read;
    this.stateProblem = problem;
    sort();
  }

  /** Looks at the names of all files in a folder; one that does not exist has no checkpoints. */
  public static CheckpointFolder list(Path folder) {
    return new CheckpointFolder(folder);
  }

  /** Reads the index of a checkpoint and the sizes of its data files. */
  public static Checked check(Path prefix) {
    Path index = BundleFiles.index(prefix);
    if (!Files.exists(index)) {
      return withoutIndex(prefix, index);
    }
    try {
      return BundleIndex.read(FileRoot.anywhere(), prefix)
          .problem(prefix)
          .map(problem -> new Checked(prefix, Condition.DAMAGED, problem))
          .orElseGet(() -> new Checked(prefix, Condition.INTACT, ""));
    } catch (TributaryException e) {
      return new Checked(prefix, Condition.DAMAGED, e.getMessage());
    }
  }

  private static Checked withoutIndex(Path prefix, Path index) {
    List<Path> first = V1Checkpoint.files(FileRoot.anywhere(), prefix);
    if (!first.isEmpty()) {
      return ofFirstVersion(prefix, first);
    }
    String name = prefix.getFileName().toString();
    Path parent = prefix.toAbsolutePath().getParent();
    try (DirectoryStream<Path> shards =
        Files.newDirectoryStream(
            parent, file -> BundleFiles.isData(file.getFileName().toString(), name))) {
      return shards.iterator().hasNext()
          ? new Checked(
              prefix, Condition.DAMAGED, "its index " + index.getFileName() + " is missing")
          : new Checked(prefix, Condition.ABSENT, "its files are gone");
    } catch (IOException e) {
      return new Checked(prefix, Condition.ABSENT, "its folder " + parent + " cannot be listed");
    }
  }

  private static Checked ofFirstVersion(Path prefix, List<Path> files) {
    try {
      V1Checkpoint.read(FileRoot.anywhere(), files);
      return new Checked(prefix, Condition.INTACT, "");
    } catch (TributaryException e) {
      return new Checked(
          prefix,
          Condition.DAMAGED,
          "it is not a checkpoint, not one of TensorFlow's first checkpoint format either: "
              + e.getMessage());
    }
  }

  /** The reason why the {@code checkpoint} file cannot be used. */
  public Optional<String> stateProblem() {
    return stateProblem;
  }

  /** The prefixes of all checkpoints, unchecked. */
  public List<Path> newestFirst() {
    return Collections.unmodifiableList(newestFirst);
  }

  /** The prefixes that the {@code checkpoint} file names, as they are found here, oldest first. */
  public List<Path> named() {
    return state.map(s -> s.all().stream().map(this::resolve).toList()).orElse(List.of());
  }

  /** The prefixes of those that were written after the {@code checkpoint} file was. */
  public List<Path> newerThanState() {
    return Collections.unmodifiableList(newerThanState);
  }

  /**
   * Returns whether a checkpoint is kept under this name only while another one takes its place.
   */
  public static boolean isReplaced(Path prefix) {
    String name = prefix.getFileName().toString();
    return !name.equals(ReplacedBundle.original(name));
  }

  /**
   * Returns whether files of any checkpoint can be seen here. If not, the {@code checkpoint} file
   * may still name some, which only the tasks that wrote them can see.
   */
  public boolean hasFiles() {
    return !indices.isEmpty() || !data.isEmpty();
  }

  /** The names of the checkpoints of which an interrupted save left only data files. */
  public Set<String> remains() {
    Set<String> remains = new TreeSet<>(data);
    remains.removeIf(name -> newestFirst.contains(folder.resolve(name)));
    remains.removeIf(name -> !name.equals(ReplacedBundle.original(name)));
    return remains;
  }

  private void scan() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        BundleFiles.dataOf(name).ifPresent(data::add);
        addStem(name, BundleFiles.INDEX, indices);
        addStem(name, META, metas);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Writing to it will report what is wrong with the folder.
      indices.clear();
    } catch (IOException e) {
      throw FileFailure.of("list checkpoints in", folder, e);
    }
  }

  private static void addStem(String name, String suffix, Set<String> stems) {
    if (name.endsWith(suffix) && name.length() > suffix.length()) {
      stems.add(name.substring(0, name.length() - suffix.length()));
    }
  }

  private static String stateProblem(Path folder) {
    Path file = folder.resolve(CheckpointState.FILE_NAME);
    try {
      return "the file "
          + file
          + (!Files.exists(file)
              ? " is missing"
              : Files.size(file) == 0 ? " is empty" : " cannot be understood");
    } catch (IOException e) {
      return FileFailure.of("read checkpoint state", file, e).getMessage();
    }
  }

  private void sort() {
    Set<Path> named = new LinkedHashSet<>();
    state.map(s -> resolve(s.latest())).ifPresent(named::add);
    List<Path> all = named();
    for (int i = all.size() - 1; i >= 0; i--) {
      named.add(all.get(i));
    }
    List<Path> others = unnamed(named);
    List<Path> sorted = new ArrayList<>(named);
    others.stream().filter(this::isNewerThanState).forEach(newerThanState::add);
    others.removeAll(newerThanState);
    sorted.addAll(Math.min(1, sorted.size()), newerThanState);
    sorted.addAll(others);
    for (Path prefix : sorted) {
      newestFirst.add(prefix);
      Path replaced = ReplacedBundle.prefixFor(prefix);
      if (Files.exists(BundleFiles.index(replaced))) {
        newestFirst.add(replaced);
      }
    }
  }

  /** Checkpoints of the folder that its file does not name, the newest first. */
  private List<Path> unnamed(Set<Path> named) {
    Set<Path> others = new LinkedHashSet<>();
    indices.forEach(name -> others.add(folder.resolve(ReplacedBundle.original(name))));
    data.stream().filter(metas::contains).forEach(name -> others.add(folder.resolve(name)));
    others.removeAll(named);
    Map<String, Long> newestOfName = new HashMap<>();
    others.forEach(
        prefix ->
            newestOfName.merge(CheckpointName.of(prefix).basename(), written(prefix), Math::max));
    List<Path> sorted = new ArrayList<>(others);
    sorted.sort(
        Comparator.<Path>comparingLong(p -> newestOfName.get(CheckpointName.of(p).basename()))
            .thenComparingLong(p -> CheckpointName.of(p).step().orElse(-1))
            .thenComparingLong(CheckpointFolder::written)
            .reversed());
    return sorted;
  }

  private boolean isNewerThanState(Path prefix) {
    if (state.isEmpty()) {
      return false;
    }
    CheckpointName name = CheckpointName.of(prefix);
    CheckpointName latest = CheckpointName.of(resolve(state.get().latest()));
    return name.basename().equals(latest.basename())
        && name.step().orElse(-1) > latest.step().orElse(Long.MAX_VALUE)
        && written(prefix) >= modified(folder.resolve(CheckpointState.FILE_NAME));
  }

  /** A folder that was moved as a whole still has what its file names by old absolute paths. */
  private Path resolve(String path) {
    Path asNamed = folder.resolve(path);
    String name = asNamed.getFileName().toString();
    boolean isHereOnly = indices.contains(name) && !Files.exists(BundleFiles.index(asNamed));
    return isHereOnly ? folder.resolve(name) : asNamed;
  }

  private static long written(Path prefix) {
    return modified(BundleFiles.index(prefix));
  }

  private static long modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }
}
