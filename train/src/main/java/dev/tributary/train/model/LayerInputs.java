package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Padding;

/** Checks of what a layer is made of and applied to. */
final class LayerInputs {
  private LayerInputs() {}

  /** Returns the channels of sequences {@code [n, time, features]}; fails for other shapes. */
  static long ofSequences(String layer, Output inputs) {
    return channels(layer, inputs, 3, "sequences of shape [n, time, features]");
  }

  /** Returns the channels of images {@code [n, height, width, channels]}. */
  static long ofImages(String layer, Output inputs) {
    return channels(layer, inputs, 4, "images of shape [n, height, width, channels]");
  }

  /** Returns the channels of volumes {@code [n, depth, height, width, channels]}. */
  static long ofVolumes(String layer, Output inputs) {
    return channels(layer, inputs, 5, "volumes of shape [n, depth, height, width, channels]");
  }

  private static long channels(String layer, Output inputs, int rank, String wanted) {
    if (inputs.shape().hasRank() && inputs.shape().rank() != rank) {
      throw TributaryException.invalidArgument(
          "%s: its inputs must be %s, got %s", layer, wanted, inputs);
    }
    return Layer.channels(layer, inputs);
  }

  /** Fails unless each of these sizes is at least one. */
  static void requirePositive(String layer, String what, int... sizes) {
    for (int size : sizes) {
      if (size < 1) {
        throw TributaryException.invalidArgument(
            "%s: %s must be at least 1, got %d", layer, what, size);
      }
    }
  }

  /** Fails for padding EXPLICIT, which comes with margins that a layer has no place for. */
  static void requireNoMargins(String layer, Padding padding) {
    if (padding == Padding.EXPLICIT) {
      throw TributaryException.invalidArgument(
          "%s: the padding must be SAME or VALID, got EXPLICIT", layer);
    }
  }
}
