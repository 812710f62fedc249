package dev.tributary.cluster.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened in a simulation, as a hash and, if it is wanted, line by line. */
final class Trace {
  private final boolean keepsLines;
  private final List<String> lines = new ArrayList<>();
  private long hash = 1;
  private long events;

  Trace(boolean keepsLines) {
    this.keepsLines = keepsLines;
  }

  void add(long nanos, String event) {
    events++;
    hash = (hash * 31 + nanos) * 31 + event.hashCode();
    if (keepsLines) {
      lines.add(String.format(Locale.ROOT, "%12.6f ms  %s", nanos / 1e6, event));
    }
  }

  long hash() {
    return hash;
  }

  long events() {
    return events;
  }

  List<String> lines() {
    return lines;
  }
}
