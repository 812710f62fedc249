package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The record of one call of a strategy's {@code run}: the variables and scopes that the first
 * replica has made, in order, for the others to find; and whether replicas depend on each other.
 */
final class Trace {
  private record Use(int replica, String what) {}

  private final Map<String, List<Object>> made = new HashMap<>();
  private final Map<Use, Integer> uses = new HashMap<>();
  private boolean connected;

  /** Returns what replica 0 has made in this place, or makes it for replica 0. */
  @SuppressWarnings("unchecked") // All replicas ask for the same thing by the same words.
  <T> T sameForAll(int replica, String what, Supplier<T> maker) {
    List<Object> all = made.computeIfAbsent(what, key -> new ArrayList<>());
    if (replica == 0) {
      T value = maker.get();
      all.add(value);
      return value;
    }
    int place = uses.merge(new Use(replica, what), 1, Integer::sum) - 1;
    if (place >= all.size()) {
      throw TributaryException.invalidArgument(
          "replica %d makes %s, which replica 0 has not made: the function must make the same"
              + " variables in each replica",
          replica, what);
    }
    return (T) all.get(place);
  }

  /** Remembers that values flow between replicas, so that their losses depend on each other. */
  void connect() {
    connected = true;
  }

  boolean isConnected() {
    return connected;
  }
}
