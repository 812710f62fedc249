package dev.tributary.internal.kernel;

/** The kinds of collective, with TensorFlow's numbers of them on the wire. */
public enum CollectiveKind {
  REDUCE(0, "reduction"),
  BROADCAST(1, "broadcast"),
  GATHER(2, "gather"),
  ALL_TO_ALL(4, "all-to-all"),
  REDUCE_SCATTER(5, "reduce-scatter");

  private final int number;
  private final String text;

  CollectiveKind(int number, String text) {
    this.number = number;
    this.text = text;
  }

  public int number() {
    return number;
  }

  /** The kind as errors call it. */
  @Override
  public String toString() {
    return text;
  }
}
