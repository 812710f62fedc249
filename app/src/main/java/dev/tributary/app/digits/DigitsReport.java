package dev.tributary.app.digits;

import dev.tributary.train.replica.Consistency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of a training in one process.
 *
 * @param made the steps of this process; empty if the training was finished before
 * @param globalStep of the network at the end
 * @param accuracy what the chief found out about the network
 * @param staleness the measured staleness of gradients
 */
record DigitsReport(
    Optional<Steps> made,
    long globalStep,
    Optional<DigitsAccuracy> accuracy,
    Optional<Staleness> staleness) {
  /**
   * The steps of one process.
   *
   * @param images how many images they took together
   */
  record Steps(int count, long images, double seconds, float lastLoss) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d steps in %.1f s (%,.0f images/s), last loss %.4f",
          count,
          seconds,
          images / seconds,
          lastLoss);
    }
  }

  /**
   * The staleness of gradients.
   *
   * @param mean the steps that others had made while a gradient was computed
   * @param dropped the gradients that came too late
   */
  record Staleness(float mean, long dropped) {}

  /** The report of the only process. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(steps());
    accuracy.ifPresent(a -> lines.add(a.toString()));
    return lines;
  }

  /** The report of one of several workers; only the chief's has more than its steps. */
  List<String> lines(int worker, Consistency consistency) {
    List<String> lines = new ArrayList<>();
    lines.add("worker " + worker + ": " + steps());
    staleness.ifPresent(
        s ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%s: gradients were %.2f steps old on average, %,d came too late",
                    consistency,
                    s.mean,
                    s.dropped)));
    accuracy.ifPresent(a -> lines.add(a.toString()));
    return lines;
  }

  private String steps() {
    return made.map(Steps::toString)
        .orElseGet(() -> "already finished at step " + globalStep + "; --epochs trains for longer");
  }
}
