package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The elements that a StridedSlice takes from a tensor of a given shape, for every dimension. Made
 * from the short form in which an entry may stand for several dimensions (an ellipsis), for none (a
 * new axis), or for a single index whose dimension vanishes. Immutable.
 */
public final class SliceSpec {
  /** An index that is not known while the graph is built. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private static final int NEW_AXIS = -1;

  /** The bit masks of a StridedSlice; bit {@code i} is about entry {@code i}. */
  public record Masks(long begin, long end, long ellipsis, long newAxis, long shrinkAxis) {}

  private final Shape input;
  private final long[] begins;
  private final long[] ends;
  private final long[] strides;
  private final boolean[] openBegin;
  private final boolean[] openEnd;
  private final boolean[] shrunk;
  private final long[] sizes;

  /** For each dimension of the result the input's dimension, or {@link #NEW_AXIS}. */
  private final List<Integer> kept = new ArrayList<>();

  private SliceSpec(Shape input) {
    this.input = input;
    int rank = input.rank();
    begins = new long[rank];
    ends = new long[rank];
    strides = new long[rank];
    openBegin = new boolean[rank];
    openEnd = new boolean[rank];
    shrunk = new boolean[rank];
    sizes = new long[rank];
  }

  /**
   * @param input of known rank
   * @param begin one index an entry; these and those in {@code end} may be {@link #UNKNOWN}
   */
  public static SliceSpec of(Shape input, long[] begin, long[] end, long[] strides, Masks masks) {
    if (begin.length != end.length || begin.length != strides.length || begin.length >= 32) {
      throw TributaryException.invalidArgument(
          "Expected begin, end, and strides to be 1D tensors of equal size below 32, but got %d, %d"
              + " and %d elements",
          begin.length, end.length, strides.length);
    }
    SliceSpec spec = new SliceSpec(input);
    spec.expand(begin, end, strides, masks);
    for (int i = 0; i < input.rank(); i++) {
      spec.sizes[i] = spec.resolve(i);
    }
    return spec;
  }

  private void expand(long[] begin, long[] end, long[] stride, Masks masks) {
    if (Long.bitCount(masks.ellipsis()) > 1) {
      throw TributaryException.invalidArgument("Multiple ellipses in slice spec not allowed");
    }
    int entries = begin.length;
    int ellipsis = masks.ellipsis() == 0 ? entries : Long.numberOfTrailingZeros(masks.ellipsis());
    int behind = 0;
    for (int i = ellipsis + 1; i < entries; i++) {
      behind += isSet(masks.newAxis(), i) ? 0 : 1;
    }
    int at = 0;
    for (int i = 0; i < entries; i++) {
      if (i == ellipsis) {
        at = openTo(at, Math.max(at, input.rank() - behind));
      } else if (isSet(masks.newAxis(), i)) {
        kept.add(NEW_AXIS);
      } else {
        if (at == input.rank()) {
          throw TributaryException.invalidArgument(
              "Index out of range using input dim %d; input has only %d dims", at, at);
        }
        begins[at] = begin[i];
        ends[at] = end[i];
        strides[at] = stride[i];
        openBegin[at] = isSet(masks.begin(), i);
        openEnd[at] = isSet(masks.end(), i);
        shrunk[at] = isSet(masks.shrinkAxis(), i);
        if (!shrunk[at]) {
          kept.add(at);
        }
        at++;
      }
    }
    openTo(at, input.rank());
  }

  private int openTo(int from, int to) {
    for (int i = from; i < to; i++) {
      strides[i] = 1;
      openBegin[i] = true;
      openEnd[i] = true;
      kept.add(i);
    }
    return to;
  }

  /**
   * Makes begin and end of a dimension count from its front, and returns the number of elements.
   */
  private long resolve(int i) {
    long size = input.size(i);
    long stride = strides[i];
    if (stride == 0) {
      throw TributaryException.invalidArgument("strides[%d] must be non-zero", i);
    }
    if (shrunk[i] && stride < 0) {
      throw TributaryException.invalidArgument("only stride 1 allowed on non-range indexing.");
    }
    if (shrunk[i]) {
      if (size != Shape.UNKNOWN && begins[i] != UNKNOWN) {
        long index = begins[i] < 0 ? begins[i] + size : begins[i];
        if (index < 0 || index >= size) {
          throw TributaryException.invalidArgument(
              "slice index %d of dimension %d out of bounds.", begins[i], i);
        }
        begins[i] = index;
      }
      return 1;
    }
    boolean known = (openBegin[i] || begins[i] != UNKNOWN) && (openEnd[i] || ends[i] != UNKNOWN);
    if (size == Shape.UNKNOWN || !known) {
      return Shape.UNKNOWN;
    }
    long first = stride > 0 ? 0 : size - 1;
    long last = stride > 0 ? size : -1;
    begins[i] = openBegin[i] ? first : clamp(begins[i], size, stride);
    ends[i] = openEnd[i] ? last : clamp(ends[i], size, stride);
    long interval = ends[i] - begins[i];
    return interval == 0 || interval < 0 != stride < 0
        ? 0
        : interval / stride + (interval % stride == 0 ? 0 : 1);
  }

  private static long clamp(long index, long size, long stride) {
    long forward = index < 0 ? index + size : index;
    return Math.min(Math.max(forward, stride > 0 ? 0 : -1), stride > 0 ? size : size - 1);
  }

  /** The shape of what is taken. */
  public Shape result() {
    long[] result = new long[kept.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = kept.get(i) == NEW_AXIS ? 1 : sizes[kept.get(i)];
    }
    return Shape.of(result);
  }

  /** Returns whether it is known where the slice starts and how long it is, in all dimensions. */
  public boolean isLocated() {
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == Shape.UNKNOWN || begins[i] == UNKNOWN || input.size(i) == Shape.UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /** The index in the input's dimension {@code i} where the slice starts. */
  public long begin(int i) {
    return begins[i];
  }

  public long stride(int i) {
    return strides[i];
  }

  /** Returns how many elements of the input's dimension {@code i} are taken, or -1. */
  public long size(int i) {
    return sizes[i];
  }

  /**
   * Returns whether nothing is left out or turned around, so that the input itself, in another
   * shape, is the result.
   */
  boolean isWhole() {
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] != input.size(i) || (strides[i] < 0 && sizes[i] > 1)) {
        return false;
      }
    }
    return true;
  }

  long[] sizes() {
    return sizes.clone();
  }

  /** Returns where the first element that is taken lies in the input. */
  long offset() {
    long[] steps = input.strides();
    long offset = 0;
    for (int i = 0; i < steps.length; i++) {
      offset += begins[i] * steps[i];
    }
    return offset;
  }

  /** Steps in the input from one element that is taken to the next, for each of its dimensions. */
  long[] steps() {
    long[] steps = input.strides();
    Arrays.setAll(steps, i -> steps[i] * strides[i]);
    return steps;
  }

  private static boolean isSet(long mask, int bit) {
    return (mask >> bit & 1) != 0;
  }
}
