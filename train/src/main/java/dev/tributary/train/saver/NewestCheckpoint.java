package dev.tributary.train.saver;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.CheckpointFolder;
import dev.tributary.internal.bundle.CheckpointFolder.Checked;
import dev.tributary.internal.bundle.CheckpointFolder.Condition;
import dev.tributary.internal.bundle.CheckpointState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest checkpoint of a folder that can be restored, and says what it passes over.
 * Confined to one thread.
 *
 * <p>A checkpoint whose files are visible here is tried if they are intact. One of which nothing is
 * visible is gone, if other checkpoints are visible in the folder; otherwise the tasks that hold
 * the variables may see what this process does not, and are asked. Damage to tensors shows only
 * when they are read, so a restore that fails with DATA_LOSS, or NOT_FOUND of files that have gone
 * in the meantime, leads to the next older checkpoint. NOT_FOUND in a checkpoint that is intact is
 * a variable that it does not hold: older ones would hide that the model has changed.
 */
final class NewestCheckpoint {
  private static final Logger LOG = LoggerFactory.getLogger(NewestCheckpoint.class);

  private final Path path;
  private final CheckpointFolder folder;
  private final Map<Path, String> skipped = new LinkedHashMap<>();
  private Optional<Path> restored = Optional.empty();

  private NewestCheckpoint(Path path) {
    this.path = path;
    this.folder = CheckpointFolder.list(path);
  }

  static NewestCheckpoint of(Path folder) {
    return new NewestCheckpoint(folder);
  }

  /**
   * Restores the newest that can be; nothing if the folder has none.
   *
   * @param restore restores the checkpoint of a prefix, or throws
   */
  Optional<Path> restore(Consumer<Path> restore) {
    for (Path prefix : folder.newestFirst()) {
      Optional<String> problem = problem(prefix, restore);
      if (problem.isEmpty()) {
        restored = Optional.of(prefix);
        warnOfWhatWasPassedOver(prefix);
        return restored;
      }
      skipped.put(prefix, problem.get());
    }
    if (!skipped.isEmpty()) {
      throw noneUsable();
    }
    if (Files.exists(path.resolve(CheckpointState.FILE_NAME))) {
      folder
          .stateProblem()
          .ifPresent(problem -> LOG.warn("no checkpoint in {}: {}", path, problem));
    }
    if (!folder.remains().isEmpty()) {
      LOG.warn(
          "{} holds data files of interrupted saves, which are not checkpoints: {}",
          path,
          folder.remains());
    }
    return Optional.empty();
  }

  /** The reason why a checkpoint was not restored; empty if it was. */
  private Optional<String> problem(Path prefix, Consumer<Path> restore) {
    Checked checked = CheckpointFolder.check(prefix);
    boolean mayBeElsewhere = checked.condition() == Condition.ABSENT && !folder.hasFiles();
    if (!checked.isIntact() && !mayBeElsewhere) {
      return Optional.of(checked.problem());
    }
    try {
      restore.accept(prefix);
      return Optional.empty();
    } catch (TributaryException e) {
      boolean isGone =
          e.code() == ErrorCode.NOT_FOUND
              && (mayBeElsewhere || !CheckpointFolder.check(prefix).isIntact());
      if (e.code() == ErrorCode.DATA_LOSS || isGone) {
        return Optional.of(e.getMessage());
      }
      throw e;
    }
  }

  private void warnOfWhatWasPassedOver(Path prefix) {
    if (!skipped.isEmpty()) {
      LOG.warn("restored {}, since newer checkpoints cannot be used: {}", prefix, reasons());
    }
    folder
        .stateProblem()
        .ifPresent(
            problem ->
                LOG.warn("restored {}, the newest intact checkpoint, since {}", prefix, problem));
    if (skipped.isEmpty() && !folder.newerThanState().isEmpty()) {
      LOG.warn(
          "restored {}, which the file {} names as the latest, though {} is newer",
          prefix,
          path.resolve(CheckpointState.FILE_NAME),
          folder.newerThanState().get(0));
    }
  }

  /**
   * The checkpoints that a run keeps when it resumes here, oldest first: those that the {@code
   * checkpoint} file names, or else the newest ones, as many as a run keeps. Others in the folder
   * may be there to stay.
   */
  List<Path> kept(int maxToKeep) {
    List<Path> kept = new ArrayList<>();
    for (Path prefix : folder.named()) {
      // Files that can be seen by the tasks only cannot be checked here.
      if (!folder.hasFiles() || isKept(prefix)) {
        kept.add(prefix);
      }
    }
    if (kept.isEmpty()) {
      folder.newestFirst().stream()
          .filter(this::isKept)
          .limit(maxToKeep == 0 ? Long.MAX_VALUE : maxToKeep)
          .forEach(prefix -> kept.add(0, prefix));
    }
    restored.filter(prefix -> !kept.contains(prefix) && isKept(prefix)).ifPresent(kept::add);
    return kept;
  }

  private boolean isKept(Path prefix) {
    return !skipped.containsKey(prefix)
        && !CheckpointFolder.isReplaced(prefix)
        && CheckpointFolder.check(prefix).isIntact();
  }

  private TributaryException noneUsable() {
    return TributaryException.failedPrecondition(
        "cannot resume in %s, since none of its checkpoints can be restored (%s%s), and training"
            + " does not start from scratch beside them unless told to. Repair them, or remove them"
            + " and the file '%s', or use another folder, or start over on purpose"
            + " (withStartOver of SupervisorOptions or MonitoredTrainingOptions; --start-over of"
            + " 'tributary digits')",
        path,
        reasons(),
        folder.stateProblem().map(problem -> "; " + problem).orElse(""),
        CheckpointState.FILE_NAME);
  }

  private String reasons() {
    return skipped.entrySet().stream()
        .map(entry -> entry.getKey().getFileName() + ": " + entry.getValue())
        .collect(Collectors.joining("; "));
  }
}
