package dev.tributary.train.variable;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A cut along one axis. Where the parts cannot be equal, the first ones are longer by one, as
 * TensorFlow has it.
 */
record Partitions(int axis, int count) {
  static Partitions of(List<Integer> perDimension) {
    int axis = 0;
    int cuts = 0;
    for (int i = 0; i < perDimension.size(); i++) {
      if (perDimension.get(i) < 1) {
        throw TributaryException.invalidArgument(
            "partitions must be positive in each dimension, got %s", perDimension);
      }
      if (perDimension.get(i) > 1) {
        axis = i;
        cuts++;
      }
    }
    if (cuts > 1 || perDimension.isEmpty()) {
      throw TributaryException.invalidArgument(
          "a variable can be partitioned along one axis only, got partitions %s", perDimension);
    }
    return new Partitions(axis, perDimension.get(axis));
  }

  List<VariableSlice> slices(String fullName, Shape fullShape) {
    long shortSize = fullShape.size(axis) / count;
    long longer = fullShape.size(axis) % count;
    List<VariableSlice> slices = new ArrayList<>();
    long start = 0;
    for (int i = 0; i < count; i++) {
      long size = i < longer ? shortSize + 1 : shortSize;
      List<Long> offset = new ArrayList<>(Collections.nCopies(fullShape.rank(), 0L));
      offset.set(axis, start);
      slices.add(new VariableSlice(fullName, fullShape, offset, fullShape.withSize(axis, size)));
      start += size;
    }
    return slices;
  }
}
