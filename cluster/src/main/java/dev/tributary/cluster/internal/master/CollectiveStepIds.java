package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The ids of steps that several masters run together, which all of them must name alike: one after
 * the other for each graph, beginning with the one that the leader of collectives names. After a
 * failure the leader is asked again: others may have failed earlier or later, or have restarted. If
 * it has not ended the step that failed here, the next one fails at once, too. Guarded by its own
 * monitor.
 */
final class CollectiveStepIds {
  private static final long ID_BITS = (1L << 57) - 1;

  private record Next(long id, boolean isCertain) {}

  private final Function<List<Long>, CompletableFuture<Map<Long, Long>>> leader;

  @GuardedBy("this")
  private final Map<Long, Next> next = new HashMap<>();

  /**
   * @param leader gives the next ids of graphs
   */
  CollectiveStepIds(Function<List<Long>, CompletableFuture<Map<Long, Long>>> leader) {
    this.leader = leader;
  }

  /** Returns the id of the next step of a graph. */
  CompletableFuture<Long> take(long graphKey) {
    synchronized (this) {
      Next known = next.get(graphKey);
      if (known != null && known.isCertain()) {
        return CompletableFuture.completedFuture(take(graphKey, known.id()));
      }
    }
    return leader.apply(List.of(graphKey)).thenApply(ids -> takeLater(graphKey, ids.get(graphKey)));
  }

  /** Notes that a step of a graph has failed. */
  synchronized void failed(long graphKey) {
    next.computeIfPresent(graphKey, (key, known) -> new Next(known.id(), false));
  }

  private synchronized long takeLater(long graphKey, long ofLeader) {
    Next known = next.get(graphKey);
    return take(graphKey, known != null && known.isCertain() ? known.id() : ofLeader);
  }

  @GuardedBy("this")
  private long take(long graphKey, long id) {
    next.put(graphKey, new Next(id + 1 & ID_BITS, true));
    return id;
  }
}
