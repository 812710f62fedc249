package dev.tributary.cluster.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.RandomIds;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ids of steps with collectives, which several masters run at the same time and must name
 * alike: one after the other, for each graph. The leader's are those that count. Guarded by its own
 * monitor.
 */
final class StepSequences {
  /** Ids have 57 bits, of which the highest is that of all steps, as in TensorFlow. */
  private static final long STEP_ID_BIT = 1L << 56;

  /** Those that have not been used for longest are forgotten. */
  private static final int MOST_GRAPHS = 10_000;

  private static final long ID_BITS = 2 * STEP_ID_BIT - 1;

  private final RandomIds ids;

  @GuardedBy("this")
  private final Map<Long, Long> next =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MOST_GRAPHS;
        }
      };

  StepSequences(RandomIds ids) {
    this.ids = ids;
  }

  /** The ids of the next steps of these graphs, by key; random for those that had none. */
  synchronized Map<Long, Long> next(List<Long> graphKeys) {
    Map<Long, Long> found = new HashMap<>();
    for (long key : graphKeys) {
      found.put(key, next.computeIfAbsent(key, k -> STEP_ID_BIT | ids.next() & STEP_ID_BIT - 1));
    }
    return found;
  }

  /** Notes that a step of a graph has ended here. */
  synchronized void ended(long graphKey, long stepId) {
    next.computeIfPresent(graphKey, (key, id) -> id == stepId ? id + 1 & ID_BITS : id);
  }
}
