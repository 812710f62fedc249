package dev.tributary.cluster.master;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.HashSet;
import java.util.Set;

/**
 * The numbers of the latest requests, which tell a repeated one: its first copy may have taken
 * effect already. Guarded by its own monitor.
 */
final class RecentRequests {
  private static final int REMEMBERED = 10_000;

  private final long[] ring = new long[REMEMBERED];
  private final Set<Long> seen = new HashSet<>();
  private int next;

  /** Notes a request; ABORTED if it was noted before. 0 is not tracked. */
  synchronized void require(String method, long requestId) {
    if (requestId == 0) {
      return;
    }
    if (!seen.add(requestId)) {
      throw new TributaryException(
          ErrorCode.ABORTED,
          "The same " + method + " request was received twice. request_id: " + requestId);
    }
    if (ring[next] != 0) {
      seen.remove(ring[next]);
    }
    ring[next] = requestId;
    next = (next + 1) % REMEMBERED;
  }
}
