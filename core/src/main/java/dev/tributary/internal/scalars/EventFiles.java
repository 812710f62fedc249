package dev.tributary.internal.scalars;

import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds event files as TensorBoard does: by a part of their name, in a folder and those in it. */
public final class EventFiles {
  private static final String MARK = "tfevents";
  private static final int DEEPEST = 20;

  private EventFiles() {}

  /**
   * The files of each run below a folder, oldest first, or the one file that is given. A run is
   * called as its folder relative to the one given, which itself is {@code "."}.
   */
  public static SortedMap<String, List<Path>> runs(Path folder) {
    SortedMap<String, List<Path>> runs = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder, DEEPEST)) {
      files
          .filter(file -> file.getFileName().toString().contains(MARK) && Files.isRegularFile(file))
          .sorted()
          .forEach(
              file -> {
                String run =
                    file.equals(folder) ? "" : folder.relativize(file.getParent()).toString();
                runs.computeIfAbsent(run.isEmpty() ? "." : run, name -> new ArrayList<>())
                    .add(file);
              });
    } catch (IOException e) {
      throw FileFailure.of("look for event files in", folder, e);
    }
    return runs;
  }
}
