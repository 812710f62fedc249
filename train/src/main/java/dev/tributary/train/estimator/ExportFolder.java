package dev.tributary.train.estimator;

import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The exported models of one exporter, each in a folder called by the time in seconds. */
record ExportFolder(Path folder) {
  /** Deletes all models but the newest ones. Other folders stay. */
  void keepNewest(int count) {
    List<Path> models = models();
    for (Path old : models.subList(0, Math.max(0, models.size() - count))) {
      delete(old);
    }
  }

  private List<Path> models() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.getFileName().toString().matches("[0-9]{10}"))
          .sorted(Comparator.comparing(path -> path.getFileName().toString()))
          .toList();
    } catch (IOException e) {
      throw FileFailure.of("list exported models", folder, e);
    }
  }

  private static void delete(Path model) {
    try (Stream<Path> files = Files.walk(model)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw FileFailure.of("delete an exported model", model, e);
    }
  }
}
