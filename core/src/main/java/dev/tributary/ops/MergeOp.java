package dev.tributary.ops;

/** The functions that join the values of devices in a collective. */
public enum MergeOp {
  ADD("Add"),
  MULTIPLY("Mul"),
  MINIMUM("Min"),
  MAXIMUM("Max");

  private final String attribute;

  MergeOp(String attribute) {
    this.attribute = attribute;
  }

  String attribute() {
    return attribute;
  }
}
