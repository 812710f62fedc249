package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.pipeline.PipelineReport;
import dev.tributary.internal.pipeline.StageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The work of all passes over one stage of a pipeline. Passes over a dataset that a function makes
 * for each element are one stage. Guarded by its own monitor.
 */
final class StageCounters {
  private final String stage;

  @GuardedBy("this")
  private final Map<String, StageCounters> inputs = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Set<MeasuredIterator> open = Collections.newSetFromMap(new IdentityHashMap<>());

  @GuardedBy("this")
  private long elements;

  @GuardedBy("this")
  private long producing;

  @GuardedBy("this")
  private long idle;

  StageCounters(String stage) {
    this.stage = stage;
  }

  String stage() {
    return stage;
  }

  /** The op of the stage: the names of nodes may differ from one graph to the next. */
  String op() {
    return op(stage);
  }

  static String op(String stage) {
    int end = stage.indexOf(" '");
    return end < 0 ? stage : stage.substring(0, end);
  }

  /** The counters of a stage that this one asks. */
  synchronized StageCounters input(String name) {
    return inputs.computeIfAbsent(name, StageCounters::new);
  }

  synchronized void begins(MeasuredIterator pass) {
    open.add(pass);
  }

  synchronized void ends(MeasuredIterator pass) {
    if (open.remove(pass)) {
      elements += pass.elements();
      producing += pass.producingNanos();
      idle += pass.idleNanos();
    }
  }

  /** A report of the stages that this one asks, and of those behind them. */
  PipelineReport report() {
    List<StageReport> stages = new ArrayList<>();
    for (StageCounters input : inputs()) {
      input.addTo(stages, new long[1]);
    }
    return new PipelineReport(stages);
  }

  private synchronized List<StageCounters> inputs() {
    return List.copyOf(inputs.values());
  }

  private long addTo(List<StageReport> stages, long[] ids) {
    long id = ++ids[0];
    int at = stages.size();
    List<Long> asked = new ArrayList<>();
    for (StageCounters input : inputs()) {
      asked.add(input.addTo(stages, ids));
    }
    stages.add(at, own(id, asked));
    return id;
  }

  private synchronized StageReport own(long id, List<Long> asked) {
    long given = elements;
    long busy = producing;
    long waited = idle;
    long buffered = 0;
    long capacity = 0;
    for (MeasuredIterator pass : open) {
      given += pass.elements();
      busy += pass.producingNanos();
      waited += pass.idleNanos();
      buffered += pass.buffered();
      capacity += pass.capacity();
    }
    return new StageReport(
        id,
        stage,
        asked,
        given,
        Duration.ofNanos(busy),
        Duration.ofNanos(waited),
        buffered,
        capacity);
  }
}
