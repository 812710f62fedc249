package dev.tributary.train.session;

import dev.tributary.train.hook.Interval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The files that the chief of a {@link MonitoredTrainingSession} writes. Immutable.
 *
 * @param checkpointDir the folder to save checkpoints to and to restore them from
 * @param summaryDir the folder of event files; {@code checkpointDir} if empty
 * @param saveCheckpoint the interval between checkpoints; never if empty
 * @param saveSummaries the interval between summaries; never if empty
 * @param logStepCount the interval between measurements of the speed; never if empty
 */
public record ChiefOutput(
    Optional<Path> checkpointDir,
    Optional<Path> summaryDir,
    Optional<Interval> saveCheckpoint,
    Optional<Interval> saveSummaries,
    Optional<Interval> logStepCount) {
  /** Returns an output without files. */
  public static ChiefOutput none() {
    return new ChiefOutput(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns an output of all files to one folder: a checkpoint each minute, less often if saves
   * take more than a twentieth of that, and summaries and the speed every hundred steps.
   */
  public static ChiefOutput to(Path checkpointDir) {
    return new ChiefOutput(
        Optional.of(checkpointDir),
        Optional.empty(),
        Optional.of(Interval.ofIfCheap(Duration.ofMinutes(1))),
        Optional.of(Interval.ofSteps(100)),
        Optional.of(Interval.ofSteps(100)));
  }

  /** Returns whether there is a folder to write to. */
  boolean writesFiles() {
    return checkpointDir.isPresent() || summaryDir.isPresent();
  }

  public ChiefOutput withSummaryDir(Path folder) {
    return new ChiefOutput(
        checkpointDir, Optional.of(folder), saveCheckpoint, saveSummaries, logStepCount);
  }

  public ChiefOutput withSaveCheckpoint(Interval interval) {
    return new ChiefOutput(
        checkpointDir, summaryDir, Optional.of(interval), saveSummaries, logStepCount);
  }

  public ChiefOutput withoutCheckpoints() {
    return new ChiefOutput(
        checkpointDir, summaryDir, Optional.empty(), saveSummaries, logStepCount);
  }

  public ChiefOutput withSaveSummaries(Interval interval) {
    return new ChiefOutput(
        checkpointDir, summaryDir, saveCheckpoint, Optional.of(interval), logStepCount);
  }

  public ChiefOutput withoutSummaries() {
    return new ChiefOutput(
        checkpointDir, summaryDir, saveCheckpoint, Optional.empty(), logStepCount);
  }

  public ChiefOutput withoutStepCount() {
    return new ChiefOutput(
        checkpointDir, summaryDir, saveCheckpoint, saveSummaries, Optional.empty());
  }

  public ChiefOutput withLogStepCount(Interval interval) {
    return new ChiefOutput(
        checkpointDir, summaryDir, saveCheckpoint, saveSummaries, Optional.of(interval));
  }
}
