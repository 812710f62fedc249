package dev.tributary.internal.step;

import dev.tributary.graph.Output;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The way from the order in which a client names its feeds to the order in which operations were
 * made, so that steps which differ only in the order of their feeds are one. Immutable.
 */
public final class FeedOrder {
  private static final FeedOrder UNCHANGED = new FeedOrder(new int[0]);

  /** The client's places in the order of operations; none if both orders agree. */
  private final int[] places;

  private FeedOrder(int[] places) {
    this.places = places;
  }

  /** Finds the order of operations for these feeds. */
  public static FeedOrder of(List<Output> feeds) {
    for (int i = 1; i < feeds.size(); i++) {
      if (compare(feeds.get(i - 1), feeds.get(i)) > 0) {
        return new FeedOrder(sortedPlaces(feeds));
      }
    }
    return UNCHANGED;
  }

  /** Puts feeds, or their values, into the order of operations. */
  public <T> List<T> apply(List<T> named) {
    if (places.length == 0) {
      return named;
    }
    List<T> ordered = new ArrayList<>(places.length);
    for (int place : places) {
      ordered.add(named.get(place));
    }
    return ordered;
  }

  private static int[] sortedPlaces(List<Output> feeds) {
    return IntStream.range(0, feeds.size())
        .boxed()
        .sorted(Comparator.comparing(feeds::get, FeedOrder::compare))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static int compare(Output a, Output b) {
    int byOperation = Integer.compare(a.operation().id(), b.operation().id());
    return byOperation != 0 ? byOperation : Integer.compare(a.index(), b.index());
  }
}
