package dev.tributary.internal.kernel;

import java.util.List;

/**
 * The cut of a value for a ring reduction, as attributes of the ops say: into as many subdivisions
 * as there are offsets or, without any, as the size of the value and the limit ask for.
 *
 * @param offsets the rotation of each subdivision's ring; a negative one also reverses it
 * @param mostPerDevice the most subdivisions; -1 for a single one, 0 for the usual limit
 */
public record RingCut(List<Integer> offsets, int mostPerDevice) {
  public static final RingCut SINGLE = new RingCut(List.of(0), -1);

  public RingCut {
    offsets = List.copyOf(offsets);
  }
}
