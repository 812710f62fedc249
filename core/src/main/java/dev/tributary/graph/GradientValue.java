package dev.tributary.graph;

/** A gradient: a dense {@link Output}, {@link IndexedSlices} of one, or none at all. */
public sealed interface GradientValue permits Output, IndexedSlices, GradientValue.None {
  /** No gradient flows to this input. */
  record None() implements GradientValue {}

  static GradientValue none() {
    return new None();
  }
}
