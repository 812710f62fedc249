package dev.tributary.cluster.protocol;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.HashSet;
import java.util.Set;

/**
 * The ids of the latest requests, so that one which a network or a client repeats does not run
 * twice. Guarded by its own monitor.
 */
public final class RecentRequests {
  private final long[] ring;
  private final Set<Long> known = new HashSet<>();
  private int next;

  public RecentRequests(int capacity) {
    ring = new long[capacity];
  }

  /** Remembers a request; ABORTED if it came before. Id 0 is not looked at. */
  public void requireNew(String method, long requestId) {
    if (requestId != 0 && !add(requestId)) {
      throw new TributaryException(
          ErrorCode.ABORTED,
          "The same " + method + " request was received twice: request id " + requestId);
    }
  }

  private synchronized boolean add(long requestId) {
    if (!known.add(requestId)) {
      return false;
    }
    known.remove(ring[next]);
    ring[next] = requestId;
    next = (next + 1) % ring.length;
    return true;
  }
}
