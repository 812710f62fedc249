package dev.tributary.ops;

/**
 * The order of the dimensions of images and videos: batch (N), depth (D), height (H), width (W) and
 * channels (C). TensorFlow calls it {@code data_format}.
 */
public enum DataFormat {
  NHWC,
  NCHW,
  /** Videos, of which only batch norms take any. */
  NDHWC,
  /** Videos, of which only batch norms take any. */
  NCDHW
}
