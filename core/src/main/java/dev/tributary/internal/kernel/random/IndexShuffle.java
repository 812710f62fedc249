package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernel of RandomIndexShuffle: the place of an index in a random permutation of all indices up
 * to a greatest one, without making the permutation. An index goes through a few rounds of the
 * block cipher Simon, again and again until the result is an index.
 */
public final class IndexShuffle {
  private static final int SEEDS = 3;
  private static final int LEAST_BITS = 16;
  private static final long ROUND_CONSTANT = 0xfffffffcL;
  private static final long ROUND_BITS = 0x7369f885192c0ef5L;

  /** The bits of half a block. */
  private final int width;

  private final long mask;
  private final long[] keys;

  private IndexShuffle(int width, long[] seeds, int rounds) {
    this.width = width;
    this.mask = (1L << width) - 1;
    this.keys = new long[rounds];
    long bits = ROUND_BITS & mask;
    for (int i = 0; i < rounds; i++) {
      if (i < SEEDS) {
        keys[i] = seeds[i] & mask;
      } else {
        long last = keys[i - 1];
        keys[i] =
            ROUND_CONSTANT & mask
                ^ bits & 1
                ^ keys[i - SEEDS]
                ^ rotated(last, width - 3)
                ^ rotated(last, width - 4);
        bits >>>= 1;
      }
    }
  }

  public static Kernel kernel(KernelNode node) {
    int rounds = node.attributes().int32("rounds");
    if (rounds < 4 || rounds > 64 || rounds % 2 != 0) {
      throw TributaryException.invalidArgument(
          "rounds must be even and between 4 and 64, got %d", rounds);
    }
    DataType type = node.attributes().type("dtype");
    boolean isUnsigned = type == DataType.UINT32 || type == DataType.UINT64;
    return context -> compute(context, rounds, isUnsigned);
  }

  private static void compute(KernelContext context, int rounds, boolean isUnsigned) {
    Tensor index = context.input(0);
    Tensor seed = context.input(1);
    Tensor greatest = context.input(2);
    long count =
        Math.max(
            Math.max(index.elementCount(), greatest.elementCount()), seed.elementCount() / SEEDS);
    requireScalarOrVector("index", index, count);
    requireScalarOrVector("max_index", greatest, count);
    boolean isVector = seed.shape().equals(Shape.of(SEEDS));
    if (!isVector && !seed.shape().equals(Shape.of(count, SEEDS))) {
      throw TributaryException.invalidArgument(
          "Seed must be a vector of size [3] or a matrix of size [%d, 3] but got %s.",
          count, seed.shape());
    }
    boolean isSingle = isVector && index.rank() == 0 && greatest.rank() == 0;
    Tensor output = context.allocateOutput(0, isSingle ? Shape.scalar() : Shape.of(count));
    for (long i = 0; i < count; i++) {
      long[] seeds = new long[SEEDS];
      for (int k = 0; k < SEEDS; k++) {
        seeds[k] = IndexTensors.at(seed, isVector ? k : SEEDS * i + k) & 0xffffffffL;
      }
      long from = IndexTensors.at(index, index.rank() == 0 ? 0 : i);
      long most = IndexTensors.at(greatest, greatest.rank() == 0 ? 0 : i);
      IndexTensors.put(output, i, shuffled(from, seeds, most, rounds, isUnsigned));
    }
  }

  private static void requireScalarOrVector(String what, Tensor tensor, long count) {
    if (tensor.rank() > 0 && !tensor.shape().equals(Shape.of(count))) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar or a vector of %d elements, got shape %s",
          what, count, tensor.shape());
    }
  }

  private static long shuffled(
      long index, long[] seeds, long most, int rounds, boolean isUnsigned) {
    boolean isIndex = isUnsigned ? Long.compareUnsigned(index, most) <= 0 : index <= most;
    if (!isIndex || !isUnsigned && index < 0) {
      throw TributaryException.invalidArgument(
          "index must be between 0 and max_index = %s, got %s",
          Long.toUnsignedString(most), Long.toUnsignedString(index));
    }
    if (most == 0) {
      return 0;
    }
    int bits = most > 0 ? Long.SIZE - Long.numberOfLeadingZeros(most - 1) : Long.SIZE;
    IndexShuffle cipher =
        new IndexShuffle(Math.max(bits + bits % 2, LEAST_BITS) / 2, seeds, rounds);
    // A permutation comes back to where it began, so this ends.
    long next = index;
    do {
      next = cipher.encrypted(next);
    } while (Long.compareUnsigned(next, most) > 0);
    return next;
  }

  private long encrypted(long block) {
    long left = block >>> width & mask;
    long right = block & mask;
    for (int i = 0; i < keys.length; i += 2) {
      left ^= mixed(right) ^ keys[i];
      right ^= mixed(left) ^ keys[i + 1];
    }
    return left << width | right;
  }

  private long mixed(long word) {
    return rotated(word, 1) & rotated(word, 8) ^ rotated(word, 2);
  }

  /** Half a block with its bits moved to the left, round the end. */
  private long rotated(long word, int bits) {
    int by = bits % width;
    return (word << by | word >>> width - by) & mask;
  }
}
