package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Sorts nodes so that each comes after those it depends on, and otherwise as they stood. Edges that
 * close a loop are not told to it. Confined to one import.
 */
final class ImportOrder {
  private static final int NAMED_IN_ERROR = 5;

  private final int[] waiting;

  /** One after the other: where from, and where to. */
  private int[] edges = new int[64];

  private int ends;
  private boolean isSorted = true;

  ImportOrder(int nodes) {
    waiting = new int[nodes];
  }

  void addEdge(int from, int to) {
    if (ends == edges.length) {
      edges = Arrays.copyOf(edges, 2 * ends);
    }
    edges[ends++] = from;
    edges[ends++] = to;
    isSorted &= from < to;
    waiting[to]++;
  }

  /** The order; {@code nodes} is for the error if there is none. */
  int[] sorted(List<ImportNode> nodes) {
    if (isSorted) {
      return IntStream.range(0, waiting.length).toArray();
    }
    int[] starts = starts();
    int[] successors = successors(starts);
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int i = 0; i < waiting.length; i++) {
      if (waiting[i] == 0) {
        ready.add(i);
      }
    }
    int[] order = new int[waiting.length];
    int done = 0;
    while (!ready.isEmpty()) {
      int node = ready.remove();
      order[done++] = node;
      for (int i = starts[node]; i < starts[node + 1]; i++) {
        if (--waiting[successors[i]] == 0) {
          ready.add(successors[i]);
        }
      }
    }
    if (done < order.length) {
      throw cycle(nodes, order.length - done);
    }
    return order;
  }

  private int[] starts() {
    int[] starts = new int[waiting.length + 1];
    for (int i = 0; i < ends; i += 2) {
      starts[edges[i] + 1]++;
    }
    Arrays.parallelPrefix(starts, Integer::sum);
    return starts;
  }

  private int[] successors(int[] starts) {
    int[] next = starts.clone();
    int[] successors = new int[ends / 2];
    for (int i = 0; i < ends; i += 2) {
      successors[next[edges[i]]++] = edges[i + 1];
    }
    return successors;
  }

  private TributaryException cycle(List<ImportNode> nodes, int left) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < waiting.length && names.size() < NAMED_IN_ERROR; i++) {
      if (waiting[i] > 0) {
        names.add(nodes.get(i).place());
      }
    }
    return TributaryException.invalidArgument(
        "%d nodes are in a cycle, or after one, that no NextIteration closes: %s%s",
        left, String.join(", ", names), left > names.size() ? ", ..." : "");
  }
}
