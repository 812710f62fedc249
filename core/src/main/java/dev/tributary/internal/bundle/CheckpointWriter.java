package dev.tributary.internal.bundle;

import dev.tributary.tensor.Tensor;

/** A checkpoint in the making, of either version. */
public interface CheckpointWriter {
  /** Adds a whole tensor, which stays the caller's. */
  void add(String name, Tensor tensor);

  /** Adds one part of a tensor of shape {@code part.shape()}. */
  void add(String name, ShapeAndSlice part, Tensor tensor);
}
