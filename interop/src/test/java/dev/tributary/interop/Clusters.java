package dev.tributary.interop;

import dev.tributary.interop.TaskProcess.Kind;
import java.util.EnumMap;
import java.util.Map;

/**
 * The clusters that tests share. Each starts when a test first wants it, and ends with this
 * process.
 */
final class Clusters {
  /** Who runs which tasks. */
  enum Mix {
    ALL_OURS(Kind.OURS, Kind.OURS),
    ALL_STOCK(Kind.STOCK, Kind.STOCK),
    STOCK_PS_OUR_WORKERS(Kind.STOCK, Kind.OURS),
    OUR_PS_STOCK_WORKERS(Kind.OURS, Kind.STOCK);

    private final Kind ps;
    private final Kind workers;

    Mix(Kind ps, Kind workers) {
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
