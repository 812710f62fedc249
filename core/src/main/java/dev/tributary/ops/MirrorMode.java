package dev.tributary.ops;

/** The mirror image that {@link LayoutOps#mirrorPad} puts around a tensor. */
public enum MirrorMode {
  /** Without the edge: 1, 2, 3 continues with 2, 1. */
  REFLECT,
  /** With the edge: 1, 2, 3 continues with 3, 2, 1. */
  SYMMETRIC
}
