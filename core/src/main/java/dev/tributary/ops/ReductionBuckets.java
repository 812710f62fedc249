package dev.tributary.ops;

import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Values of a device that are summed over a group together: neighbours of one type that are flat
 * one behind the other, up to a number of bytes. Each bucket is a collective of its own, which
 * begins as soon as its values are there; so the last values of a step may still be computed while
 * the first ones are summed. Confined to one thread.
 */
final class ReductionBuckets {
  private final Ops tf;
  private final DeviceGroup group;
  private final long mostBytes;
  private final List<Output> sums = new ArrayList<>();
  private final List<Output> bucket = new ArrayList<>();
  private int instance;
  private long bytes;

  /**
   * @param instance the key of the first bucket; later ones count on
   * @param mostBytes a larger value has a bucket of its own
   */
  ReductionBuckets(Ops tf, DeviceGroup group, int instance, long mostBytes) {
    this.tf = tf;
    this.group = group;
    this.instance = instance;
    this.mostBytes = mostBytes;
  }

  /** Returns the sums of these values, in their order. */
  List<Output> sum(List<Output> values) {
    for (Output value : values) {
      if (!fits(value)) {
        flush();
      }
      bucket.add(value);
      bytes += value.shape().isFullyDefined() ? size(value) : mostBytes;
    }
    flush();
    return List.copyOf(sums);
  }

  private boolean fits(Output value) {
    return bucket.isEmpty()
        || value.shape().isFullyDefined()
            && value.type() == bucket.get(0).type()
            && bytes + size(value) <= mostBytes;
  }

  private static long size(Output value) {
    return value.shape().elementCount() * value.type().size();
  }

  private void flush() {
    if (bucket.size() == 1) {
      sums.add(tf.collectives.sum(bucket.get(0), group, instance++));
    } else if (!bucket.isEmpty()) {
      sumTogether();
    }
    bucket.clear();
    bytes = 0;
  }

  private void sumTogether() {
    List<Output> flat = bucket.stream().map(value -> tf.reshape(value, -1L)).toList();
    Output sum = tf.collectives.sum(tf.concat(0, flat), group, instance++);
    List<Shape> shapes = bucket.stream().map(Output::shape).toList();
    long[] sizes = shapes.stream().mapToLong(Shape::elementCount).toArray();
    List<Output> pieces = tf.array.splitV(sum, 0, sizes);
    for (int i = 0; i < sizes.length; i++) {
      sums.add(tf.reshape(pieces.get(i), shapes.get(i).toArray()));
    }
  }
}
