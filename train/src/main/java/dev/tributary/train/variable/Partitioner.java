package dev.tributary.train.variable;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A choice of the number of parts into which a variable is cut. TensorFlow's partitioners cut along
 * one axis, never into more parts than it is long.
 */
@FunctionalInterface
public interface Partitioner {
  /** Returns the number of parts along each dimension; at most one is above 1. */
  List<Integer> partitions(Shape shape, DataType type);

  /** Always this many parts. */
  static Partitioner fixedSize(int shards, int axis) {
    requirePositive("the number of parts", shards);
    return (shape, type) -> along(axis, shape, size -> shards);
  }

  /** As many parts as there can be of at least {@code minSliceSize} bytes, up to a limit. */
  static Partitioner minMax(int maxPartitions, int axis, long minSliceSize) {
    requirePositive("the greatest number of parts", maxPartitions);
    requirePositive("the least size of a part", minSliceSize);
    return (shape, type) ->
        along(
            axis,
            shape,
            size ->
                Math.min(
                    maxPartitions, ceilDiv(shape.elementCount() * bytesOf(type), minSliceSize)));
  }

  /** As few parts as there can be of at most {@code maxShardBytes}. */
  static Partitioner variableAxisSize(long maxShardBytes, int axis) {
    return variableAxisSize(maxShardBytes, axis, Integer.MAX_VALUE);
  }

  /** As few parts as there can be of at most {@code maxShardBytes}, up to a limit. */
  static Partitioner variableAxisSize(long maxShardBytes, int axis, int maxShards) {
    requirePositive("the greatest size of a part", maxShardBytes);
    requirePositive("the greatest number of parts", maxShards);
    return (shape, type) ->
        along(
            axis,
            shape,
            size -> {
              long bytesPerSlice = shape.elementCount() / Math.max(1, size) * bytesOf(type);
              long slices = Math.max(1, maxShardBytes / Math.max(1, bytesPerSlice));
              return Math.min(maxShards, ceilDiv(size, slices));
            });
  }

  private static List<Integer> along(int axis, Shape shape, LongUnaryOperator parts) {
    if (axis < 0 || axis >= shape.rank()) {
      throw TributaryException.invalidArgument(
          "a variable of shape %s has no axis %d to be partitioned along", shape, axis);
    }
    List<Integer> all = new ArrayList<>(Collections.nCopies(shape.rank(), 1));
    long size = shape.size(axis);
    all.set(axis, (int) Math.max(1, Math.min(size, parts.applyAsLong(size))));
    return all;
  }

  /** An element of a string variable is taken to have 16 bytes, as in TensorFlow. */
  private static long bytesOf(DataType type) {
    return type == DataType.STRING ? 16 : type.size();
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private static void requirePositive(String what, long value) {
    if (value < 1) {
      throw TributaryException.invalidArgument("%s must be positive, got %d", what, value);
    }
  }
}
