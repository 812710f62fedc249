package dev.tributary.cluster.sim;

/**
 * A process from its start to its crash. What it left to run goes on afterwards, so that its
 * tensors are given back, but nobody hears of it any more.
 */
final class Life {
  private final String place;
  private final int number;
  private boolean over;

  Life(String place, int number) {
    this.place = place;
    this.number = number;
  }

  /** What it is called in every life. */
  String place() {
    return place;
  }

  /** How many there were at this place before, and this one. */
  int number() {
    return number;
  }

  boolean isOver() {
    return over;
  }

  void end() {
    over = true;
  }

  @Override
  public String toString() {
    return place + "#" + number;
  }
}
