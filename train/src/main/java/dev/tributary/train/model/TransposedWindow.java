package dev.tributary.train.model;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import java.util.ArrayList;
import java.util.List;

/** The window of a transposed convolution along one dimension. */
record TransposedWindow(int kernel, long stride, long dilation) {
  /** The first dimension, along which there is nothing to spread. */
  private static final TransposedWindow BATCH = new TransposedWindow(1, 1, 1);

  /**
   * Returns the sizes of a transposed convolution's result, channels last.
   *
   * @param windows one for each dimension between the first and the last
   */
  static Output sizes(
      Ops tf, Output inputs, int filters, Padding padding, List<TransposedWindow> windows) {
    List<Output> counted = tf.unstack(tf.shape(inputs), 0);
    List<TransposedWindow> all = new ArrayList<>(List.of(BATCH));
    all.addAll(windows);
    List<Output> sizes = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      sizes.add(all.get(i).size(tf, inputs.shape().size(i), counted.get(i), padding));
    }
    sizes.add(tf.constant(filters));
    return tf.stack(sizes.toArray(new Output[0]));
  }

  /** Returns the size that a convolution with this window makes the given one of. */
  private Output size(Ops tf, long known, Output counted, Padding padding) {
    long reach = (kernel - 1) * dilation + 1;
    long added = padding == Padding.SAME ? 0 : Math.max(0, reach - stride);
    // A constant where that is possible, so that the result's shape is known, too.
    return known < 0
        ? tf.add(tf.mul(counted, constant(tf, stride)), constant(tf, added))
        : constant(tf, Math.addExact(Math.multiplyExact(known, stride), added));
  }

  private static Output constant(Ops tf, long value) {
    return tf.constant(Math.toIntExact(value));
  }
}
