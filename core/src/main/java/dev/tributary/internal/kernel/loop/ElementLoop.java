package dev.tributary.internal.kernel.loop;

import dev.tributary.tensor.DataType;

/** A function of one element, or of two, that is applied to all of a tensor. */
public sealed interface ElementLoop permits UnaryLoop, BinaryLoop {
  boolean supports(DataType type);

  /** The type of the results for elements of this type. */
  DataType resultType(DataType type);
}
