package dev.tributary.graph;

/** Properties of an op that passes and executors ask for beyond what its signature tells. */
public enum OpFlag {
  /** Worth a thread of its own when other nodes are ready. */
  EXPENSIVE,
  /** Must not be folded into a constant or merged with its equal, although it keeps no state. */
  NOT_FOLDABLE,
  /** Stands for a value that the caller feeds. */
  PLACEHOLDER,
  /** Holds its value in the attribute {@code value}. */
  CONSTANT,
  /** Makes a variable or other resource. */
  RESOURCE_MAKER,
  /**
   * Passes its first input on as it is, so that slices in place of a dense gradient can go through.
   */
  PASSES_SLICES
}
