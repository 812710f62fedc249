package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.PartFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The file {@code checkpoint} in a folder of checkpoints, which names the latest and all that are
 * kept. Paths are as they stand there: one without a leading slash begins at the folder. Immutable.
 *
 * @param all oldest first; the last one is the latest
 * @param timestamps when each of {@code all} was written, in seconds since 1970; none if not known
 * @param lastPreserved when the last one was written that is kept for ever
 */
public record CheckpointState(
    String latest, List<String> all, List<Double> timestamps, OptionalDouble lastPreserved) {
  public static final String FILE_NAME = "checkpoint";

  public CheckpointState {
    all = List.copyOf(all);
    timestamps = List.copyOf(timestamps);
    if (latest.isEmpty()) {
      throw TributaryException.invalidArgument("a checkpoint state names no checkpoint");
    }
    if (!timestamps.isEmpty() && timestamps.size() != all.size()) {
      throw TributaryException.invalidArgument(
          "a checkpoint state has %d checkpoints and %d timestamps", all.size(), timestamps.size());
    }
  }

  public CheckpointState(String latest, List<String> all) {
    this(latest, all, List.of(), OptionalDouble.empty());
  }

  /** The state of a folder; nothing if it has no such file, or one that cannot be understood. */
  public static Optional<CheckpointState> read(Path folder) {
    return read(folder, FILE_NAME);
  }

  public static Optional<CheckpointState> read(Path folder, String fileName) {
    Path path = folder.resolve(fileName);
    try {
      return CheckpointStateText.parse(Files.readString(path));
    } catch (NoSuchFileException | CharacterCodingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw FileFailure.of("read checkpoint state", path, e);
    }
  }

  /** Replaces the state of a folder, so that a reader sees the old one or the new one. */
  public void write(Path folder) {
    write(folder, FILE_NAME);
  }

  public void write(Path folder, String fileName) {
    byte[] text = CheckpointStateText.print(this).getBytes(StandardCharsets.UTF_8);
    PartFile.write(folder.resolve(fileName), text);
  }

  /** The prefix of the latest checkpoint of a folder, if all its files are there. */
  public static Optional<Path> latestCheckpoint(Path folder) {
    return read(folder)
        .map(state -> folder.resolve(state.latest()))
        .filter(prefix -> Files.exists(BundleFiles.index(prefix)));
  }
}
