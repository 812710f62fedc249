package dev.tributary.internal.collective;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The members in the order in which a subdivision of a value goes around: task after task, with the
 * devices of each task rotated by the subdivision's offset and, if that is negative, reversed.
 *
 * @param ranks the ranks in their order on the ring
 * @param position this member's place in it
 */
record RingOrder(List<Integer> ranks, int position) {
  static RingOrder of(CollectiveGroup group, int offset, int rank) {
    List<Integer> order = new ArrayList<>(group.size());
    for (List<Integer> ofTask : group.ranksByTask()) {
      List<Integer> rotated = new ArrayList<>(ofTask);
      if (offset < 0) {
        Collections.reverse(rotated);
      }
      Collections.rotate(rotated, -(Math.abs(offset) % rotated.size()));
      order.addAll(rotated);
    }
    return new RingOrder(List.copyOf(order), order.indexOf(rank));
  }

  int size() {
    return ranks.size();
  }

  int next() {
    return ranks.get((position + 1) % size());
  }

  int previous() {
    return ranks.get(previousPosition());
  }

  int previousPosition() {
    return (position + size() - 1) % size();
  }

  /** Returns whether this member is so many places before another, around the ring. */
  boolean isBefore(int other, int places) {
    return (position + places - other) % size() == 0;
  }
}
