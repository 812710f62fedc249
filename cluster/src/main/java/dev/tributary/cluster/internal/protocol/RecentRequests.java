package dev.tributary.cluster.internal.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.Arrays;

/**
 * The ids of the latest requests, so that one which a network or a client repeats does not run
 * twice. Takes memory as requests come, less than 20 bytes for each that it remembers. Guarded by
 * its own monitor.
 */
public final class RecentRequests {
  private static final int FIRST_SIZE = 16;

  private final int capacity;

  /** The ids in the order in which they came; a ring once there are as many as the capacity. */
  @GuardedBy("this")
  private long[] ids;

  /**
   * The indices of ids in {@link #ids}, plus one; 0 is free. An id is at its {@link #home} or after
   * it, with nothing free between. Boxed ids in a set of the library's would take four times as
   * much.
   */
  @GuardedBy("this")
  private int[] places;

  @GuardedBy("this")
  private int size;

  @GuardedBy("this")
  private int next;

  public RecentRequests(int capacity) {
    this.capacity = capacity;
    ids = new long[Math.min(capacity, FIRST_SIZE)];
    places = new int[placesFor(ids.length)];
  }

  /** Remembers a request; ABORTED if it came before. Id 0 is not looked at. */
  public void requireNew(String method, long requestId) {
    if (requestId != 0 && !add(requestId)) {
      throw new TributaryException(
          ErrorCode.ABORTED,
          "The same " + method + " request was received twice: request id " + requestId);
    }
  }

  private synchronized boolean add(long id) {
    if (places[find(id)] != 0) {
      return false;
    }
    if (size == ids.length && size < capacity) {
      grow();
    }
    if (size == capacity) {
      remove(find(ids[next]));
    } else {
      size++;
    }
    ids[next] = id;
    places[find(id)] = next + 1;
    next = (next + 1) % capacity;
    return true;
  }

  /** Returns where an id is, or where it would go. */
  @GuardedBy("this")
  private int find(long id) {
    int at = home(id);
    while (places[at] != 0 && ids[places[at] - 1] != id) {
      at = after(at);
    }
    return at;
  }

  /** Frees a place, and moves up those behind that could not have stood there but for it. */
  @GuardedBy("this")
  private void remove(int freed) {
    int hole = freed;
    for (int at = after(hole); places[at] != 0; at = after(at)) {
      int fromHome = (at - home(ids[places[at] - 1])) & (places.length - 1);
      int fromHole = (at - hole) & (places.length - 1);
      if (fromHome >= fromHole) {
        places[hole] = places[at];
        hole = at;
      }
    }
    places[hole] = 0;
  }

  /** Only before the ring goes round, so that the order stays. */
  @GuardedBy("this")
  private void grow() {
    ids = Arrays.copyOf(ids, (int) Math.min(capacity, 2L * ids.length));
    places = new int[placesFor(ids.length)];
    for (int i = 0; i < size; i++) {
      places[find(ids[i])] = i + 1;
    }
  }

  /** A power of two, of which a quarter or more stays free. */
  private static int placesFor(int count) {
    return Integer.highestOneBit(Math.max(1, count + count / 3)) << 1;
  }

  @GuardedBy("this")
  private int home(long id) {
    return (Long.hashCode(id * 0x9E3779B97F4A7C15L)) & (places.length - 1);
  }

  @GuardedBy("this")
  private int after(int at) {
    return (at + 1) & (places.length - 1);
  }
}
