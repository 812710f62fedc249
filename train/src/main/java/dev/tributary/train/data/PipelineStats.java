package dev.tributary.train.data;

import dev.tributary.internal.pipeline.PipelineReport;
import dev.tributary.internal.pipeline.StageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The work of all stages of a pipeline, the one that consumers ask first. Immutable; as text a
 * table.
 *
 * <pre>
 * stage                       elements  per second    busy  waiting    idle  buffered
 * PrefetchDataset 'prefetch'       100       812.4     1 ms   120 ms    2 ms       2/2
 * </pre>
 */
public record PipelineStats(List<StageStats> stages) {
  private static final String FORMAT = "%-40s %10s %12s %10s %10s %10s %10s%n";

  public PipelineStats {
    stages = List.copyOf(stages);
  }

  static PipelineStats of(PipelineReport report) {
    List<StageStats> stages = new ArrayList<>();
    for (StageReport stage : report.stages()) {
      boolean passesOn = stage.name().startsWith("PrefetchDataset");
      Duration waiting = passesOn ? stage.producing() : report.waiting(stage);
      Duration busy = stage.producing().minus(waiting);
      stages.add(
          new StageStats(
              stage.name(),
              stage.elements(),
              busy.isNegative() ? Duration.ZERO : busy, // Inputs that work ahead overlap with it.
              waiting,
              stage.idle(),
              stage.buffered(),
              stage.capacity()));
    }
    return new PipelineStats(stages);
  }

  /** The stage that worked longest, which is the first to make faster or parallel. */
  public Optional<StageStats> slowest() {
    return stages.stream().max(Comparator.comparing(StageStats::busy));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(line("stage", "elements", "per second", "busy", "waiting", "idle", "buffered"));
    for (StageStats stage : stages) {
      text.append(
          line(
              stage.stage(),
              Long.toString(stage.elements()),
              rate(stage),
              time(stage.busy()),
              time(stage.waiting()),
              time(stage.idle()),
              stage.capacity() == 0 ? "" : stage.buffered() + "/" + stage.capacity()));
    }
    slowest().ifPresent(stage -> text.append("slowest: ").append(stage.stage()));
    return text.toString();
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, FORMAT, (Object[]) cells);
  }

  /** Elements in a second of the stage's whole time. */
  private static String rate(StageStats stage) {
    Duration whole = stage.busy().plus(stage.waiting()).plus(stage.idle());
    return whole.isZero()
        ? ""
        : String.format(Locale.ROOT, "%.1f", stage.elements() * 1e9 / whole.toNanos());
  }

  private static String time(Duration time) {
    return time.compareTo(Duration.ofSeconds(10)) < 0
        ? String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6)
        : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }
}
