package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.Arrays;

/** The output shapes of Reshape, ExpandDims and Squeeze, as far as they are known. */
public final class Reshaping {
  private Reshaping() {}

  /**
   * The shape that a tensor of shape {@code input} gets when {@code wanted} is asked for, where one
   * -1 stands for what is left over.
   */
  public static Shape reshape(Shape input, long[] wanted) {
    int open = -1;
    long known = 1;
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] == -1) {
        if (open >= 0) {
          throw TributaryException.invalidArgument(
              "only one size may be -1, got %s", Arrays.toString(wanted));
        }
        open = i;
      } else if (wanted[i] < 0) {
        throw TributaryException.invalidArgument(
            "size %d must not be negative, got %s", i, Arrays.toString(wanted));
      } else {
        if (Math.multiplyHigh(known, wanted[i]) != 0 || known * wanted[i] < 0) {
          throw TributaryException.invalidArgument(
              "sizes %s are of more than 2^63 elements", Arrays.toString(wanted));
        }
        known *= wanted[i];
      }
    }
    long count = input.elementCount();
    if (open < 0) {
      if (count >= 0 && count != known) {
        throw doesNotFit(input, count, wanted);
      }
      return Shape.of(wanted);
    }
    if (count < 0) {
      return Shape.of(wanted);
    }
    if (known == 0 ? count != 0 : count % known != 0) {
      throw doesNotFit(input, count, wanted);
    }
    long[] sizes = wanted.clone();
    sizes[open] = known == 0 ? 0 : count / known;
    return Shape.of(sizes);
  }

  /** The shape with a size of 1 put in at {@code dimension}, which may count from the end. */
  public static Shape expand(Shape input, long dimension) {
    int rank = input.rank();
    if (dimension < -rank - 1 || dimension > rank) {
      throw TributaryException.invalidArgument(
          "Tried to expand dim index %d for tensor with %d dimensions.", dimension, rank);
    }
    int at = (int) (dimension < 0 ? dimension + rank + 1 : dimension);
    return input.slice(0, at).concatenate(Shape.of(1)).concatenate(input.slice(at, rank));
  }

  /** The shape without the given dimensions of size 1, or without all of them if none are given. */
  public static Shape squeeze(Shape input, long[] dimensions) {
    if (!input.hasRank()) {
      return Shape.unknown();
    }
    int rank = input.rank();
    boolean[] drop = new boolean[rank];
    for (long dimension : dimensions) {
      if (dimension < -rank || dimension >= rank) {
        throw TributaryException.invalidArgument(
            "Tried to squeeze dim index %d for tensor with %d dimensions.", dimension, rank);
      }
      drop[(int) (dimension < 0 ? dimension + rank : dimension)] = true;
    }
    Shape result = Shape.scalar();
    for (int i = 0; i < rank; i++) {
      long size = input.size(i);
      if (dimensions.length == 0 && size == Shape.UNKNOWN) {
        return Shape.unknown();
      }
      if (drop[i] && size != 1 && size != Shape.UNKNOWN) {
        throw TributaryException.invalidArgument(
            "Can not squeeze dim[%d], expected a dimension of 1, got %d", i, size);
      }
      if (!drop[i] && !(dimensions.length == 0 && size == 1)) {
        result = result.concatenate(Shape.of(size));
      }
    }
    return result;
  }

  private static TributaryException doesNotFit(Shape input, long count, long[] wanted) {
    return TributaryException.invalidArgument(
        "a tensor of shape %s with %d elements does not fit the requested shape %s",
        input, count, Arrays.toString(wanted));
  }
}
