package dev.tributary.interop;

import java.util.EnumMap;
import java.util.Map;

/**
 * The clusters that tests share. Each starts when a test first wants it, and ends with this
 * process.
 */
final class Clusters {
  /** Who runs which tasks. */
  enum Mix {
    ALL_OURS(TaskKind.OURS, TaskKind.OURS),
    ALL_STOCK(TaskKind.STOCK, TaskKind.STOCK),
    STOCK_PS_OUR_WORKERS(TaskKind.STOCK, TaskKind.OURS),
    OUR_PS_STOCK_WORKERS(TaskKind.OURS, TaskKind.STOCK);

    private final TaskKind ps;
    private final TaskKind workers;

    Mix(TaskKind ps, TaskKind workers) {
      this.ps = ps;
      this.workers = workers;
    }

    /** A cluster of this mix that nobody else uses. */
    TestCluster start() throws Exception {
      return TestCluster.start(ps, workers);
    }
  }

  private static final Map<Mix, TestCluster> STARTED = new EnumMap<>(Mix.class);

  private Clusters() {}

  static synchronized TestCluster of(Mix mix) throws Exception {
    TestCluster known = STARTED.get(mix);
    if (known == null) {
      known = mix.start();
      STARTED.put(mix, known);
    }
    return known;
  }
}
