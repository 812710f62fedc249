package dev.tributary.ops;

/** The zeros around an image that a convolution or pooling adds. */
public enum Padding {
  /** So many that the output has the size of the input, divided by the stride. */
  SAME,
  /** None: windows lie inside of the image. */
  VALID,
  /** Those of {@link ConvOptions#withPaddings}. */
  EXPLICIT
}
