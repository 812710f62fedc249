package dev.tributary.app.digits;

import dev.tributary.app.launch.TemporaryFolder;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of a training on a cluster. Without a logdir they are in a temporary folder, so that a
 * task that is restarted finds a checkpoint; it is deleted when the training succeeds. Confined to
 * one thread.
 */
final class DigitsFolder implements AutoCloseable {
  private final Path folder;
  private final boolean isTemporary;
  private boolean isFinished;

  private DigitsFolder(Path folder, boolean isTemporary) {
    this.folder = folder;
    this.isTemporary = isTemporary;
  }

  static DigitsFolder of(Optional<Path> logdir) {
    return logdir.isPresent()
        ? new DigitsFolder(logdir.get(), false)
        : new DigitsFolder(TemporaryFolder.make("tributary-digits-"), true);
  }

  /**
   * Moves the checkpoints of a logdir, and the files that list them, to a new folder in it.
   *
   * @return the new folder; empty if there are no checkpoints
   */
  static Optional<Path> setAside(Path logdir) {
    try {
      List<Path> files = Files.isDirectory(logdir) ? filesOfCheckpoints(logdir) : List.of();
      if (files.isEmpty()) {
        return Optional.empty();
      }
      Path aside = Files.createTempDirectory(logdir, "earlier-");
      for (Path file : files) {
        Files.move(file, aside.resolve(file.getFileName()));
      }
      return Optional.of(aside);
    } catch (IOException e) {
      throw FileFailure.of("move the checkpoints of", logdir, e);
    }
  }

  private static List<Path> filesOfCheckpoints(Path logdir) throws IOException {
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(logdir, "{model.ckpt*,checkpoint,live_model}")) {
      List<Path> files = new ArrayList<>();
      found.forEach(files::add);
      return files;
    }
  }

  Path checkpoints() {
    return folder;
  }

  /** The folder for the log of each task. */
  Path logs() {
    return folder.resolve("logs");
  }

  /** Names the folder of the logs, if it is a temporary one. */
  Optional<String> describe() {
    return isTemporary
        ? Optional.of(
            "logs of the tasks are in " + logs() + " until training succeeds; --logdir keeps them")
        : Optional.empty();
  }

  /** Says that nobody needs temporary files any more. */
  void finished() {
    isFinished = true;
  }

  @Override
  public void close() {
    if (isTemporary && isFinished) {
      delete();
    }
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw FileFailure.of("delete the temporary folder", folder, e);
    }
  }
}
