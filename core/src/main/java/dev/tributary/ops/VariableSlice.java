package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The part of a larger variable that a variable holds: TensorFlow's {@code SaveSliceInfo}, by which
 * checkpoints keep the parts of a partitioned variable under one name.
 *
 * @param fullName the name of the whole
 * @param offset the first index of the part in each dimension
 * @param shape the part's own shape
 */
public record VariableSlice(String fullName, Shape fullShape, List<Long> offset, Shape shape) {
  public VariableSlice {
    offset = List.copyOf(offset);
    if (offset.size() != fullShape.rank() || shape.rank() != fullShape.rank()) {
      throw TributaryException.invalidArgument(
          "a slice %s at %s does not fit '%s' of shape %s", shape, offset, fullName, fullShape);
    }
    for (int i = 0; i < offset.size(); i++) {
      if (offset.get(i) < 0 || offset.get(i) + shape.size(i) > fullShape.size(i)) {
        throw TributaryException.invalidArgument(
            "a slice %s at %s does not fit '%s' of shape %s", shape, offset, fullName, fullShape);
      }
    }
  }

  /** The slice that is the whole variable. */
  public static VariableSlice whole(String name, Shape shape) {
    return new VariableSlice(name, shape, Collections.nCopies(shape.rank(), 0L), shape);
  }

  public boolean isWhole() {
    return shape.equals(fullShape);
  }

  /**
   * As {@code SaveV2} and {@code RestoreV2} want it: {@code 100 64 0,50:0,64}, or nothing for the
   * whole.
   */
  public String spec() {
    if (isWhole()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (long size : fullShape.toArray()) {
      text.append(size).append(' ');
    }
    return text.append(
            String.join(
                ":",
                IntStream.range(0, offset.size())
                    .mapToObj(i -> offset.get(i) + "," + shape.size(i))
                    .toList()))
        .toString();
  }
}
