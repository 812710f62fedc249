package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.Arrays;
import java.util.StringJoiner;

/**
 * A part of a tensor: for each dimension where it starts and how long it is, or all of it. Written
 * {@code 0,2:-} for the first two of the first dimension and all of the second. Immutable.
 */
public final class TensorSlice {
  /** The length of a dimension that is taken as a whole. */
  static final long WHOLE = -1;

  private final long[] starts;
  private final long[] lengths;

  private TensorSlice(long[] starts, long[] lengths) {
    this.starts = starts;
    this.lengths = lengths;
  }

  /** All of a tensor of that rank. */
  public static TensorSlice whole(int rank) {
    long[] lengths = new long[rank];
    Arrays.fill(lengths, WHOLE);
    return new TensorSlice(new long[rank], lengths);
  }

  /**
   * A slice with these starts and lengths, where -1 stands for a dimension as a whole, which starts
   * at 0.
   */
  public static TensorSlice of(long[] starts, long[] lengths) {
    TensorSlice slice = new TensorSlice(starts.clone(), lengths.clone());
    boolean fits = starts.length == lengths.length;
    for (int i = 0; fits && i < starts.length; i++) {
      boolean isWhole = lengths[i] == WHOLE && starts[i] == 0;
      fits = isWhole || starts[i] >= 0 && lengths[i] > 0 && starts[i] + lengths[i] > 0;
    }
    if (!fits) {
      throw TributaryException.invalidArgument(
          "a slice needs a start of 0 or more and a length of 1 or more for each dimension, got %s"
              + " and %s",
          Arrays.toString(starts), Arrays.toString(lengths));
    }
    return slice;
  }

  /** Reads the written form. */
  public static TensorSlice parse(String text) {
    String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
    long[] starts = new long[parts.length];
    long[] lengths = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      lengths[i] = WHOLE;
      if (!parts[i].equals("-")) {
        int comma = parts[i].indexOf(',');
        try {
          starts[i] = Long.parseLong(parts[i].substring(0, Math.max(0, comma)));
          lengths[i] = Long.parseLong(parts[i].substring(comma + 1));
        } catch (NumberFormatException e) {
          throw unreadable(text, parts[i]);
        }
        if (lengths[i] == WHOLE) {
          throw unreadable(text, parts[i]);
        }
      }
    }
    return of(starts, lengths);
  }

  private static TributaryException unreadable(String text, String part) {
    return TributaryException.invalidArgument(
        "Expected a pair of numbers or '-' but got '%s': string = %s", part, text);
  }

  public int rank() {
    return starts.length;
  }

  public long start(int dimension) {
    return starts[dimension];
  }

  /** The length along a dimension, or -1 for all of it. */
  long length(int dimension) {
    return lengths[dimension];
  }

  /** Returns whether it is all of any tensor. */
  public boolean isWhole() {
    return Arrays.stream(lengths).allMatch(length -> length == WHOLE);
  }

  /** The shape of this part of a tensor; fails if the tensor has no such part. */
  public Shape shapeIn(Shape full) {
    boolean fits = full.rank() == rank();
    long[] sizes = new long[rank()];
    for (int i = 0; fits && i < sizes.length; i++) {
      sizes[i] = lengths[i] == WHOLE ? full.size(i) : lengths[i];
      fits = starts[i] + sizes[i] <= full.size(i);
    }
    if (!fits) {
      throw TributaryException.invalidArgument("a tensor of shape %s has no slice %s", full, this);
    }
    return Shape.of(sizes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorSlice slice
        && Arrays.equals(starts, slice.starts)
        && Arrays.equals(lengths, slice.lengths);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(starts) + Arrays.hashCode(lengths);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(":");
    for (int i = 0; i < starts.length; i++) {
      text.add(lengths[i] == WHOLE ? "-" : starts[i] + "," + lengths[i]);
    }
    return text.toString();
  }
}
