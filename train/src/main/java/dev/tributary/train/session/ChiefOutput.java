package dev.tributary.train.session;

import dev.tributary.train.hook.Interval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the chief of a {@link MonitoredTrainingSession} writes, where, and how often. Immutable.
 *
 * @param checkpointDir where checkpoints go and come from
 * @param summaryDir where events go; with the checkpoints if there is none
 * @param saveCheckpoint how far apart checkpoints are; never if empty
 * @param saveSummaries how far apart summaries are; never if empty
 * @param logStepCount how far apart the speed is measured; never if empty
 */
public record ChiefOutput(
    Optional<Path> checkpointDir,
    Optional<Path> summaryDir,
    Optional<Interval> saveCheckpoint,
    Optional<Interval> saveSummaries,
    Optional<Interval> logStepCount) {
  /** Nothing. */
  public static ChiefOutput none() {
    return new ChiefOutput(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * All into one folder: a checkpoint each minute, less often if saves take more than a twentieth
   * of that, and summaries and the speed every hundred steps.
   */
  public static ChiefOutput to(Path checkpointDir) {
    return new ChiefOutput(
        Optional.of(checkpointDir),
        Optional.empty(),
        Optional.of(Interval.ofIfCheap(Duration.ofMinutes(1))),
        Optional.of(Interval.ofSteps(100)),
        Optional.of(Interval.ofSteps(100)));
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

  public ChiefOutput withLogStepCount(Interval interval) {
    return new ChiefOutput(
        checkpointDir, summaryDir, saveCheckpoint, saveSummaries, Optional.of(interval));
  }
}
