package dev.tributary.internal.kernel.loop;

import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;

/**
 * Copies elements from one strided place to another: the one loop behind Transpose, Slice, Tile,
 * Pad, Concat, Reverse and BroadcastTo. Strides count elements and may be 0 or negative; source and
 * target must not overlap. Stateless.
 *
 * <p>Dimensions are merged first. Runs that are contiguous on both sides go by bulk copy; a
 * transposition (contiguous in one dimension here and another there) goes block by block, so that
 * neither side leaves the cache.
 */
public final class StridedCopy {
  /**
   * Contiguous runs of fewer bytes are moved one by one: a bulk copy costs about ten nanoseconds to
   * begin with.
   */
  private static final int BULK_BYTES = 48;

  /** The side of a transposition's blocks. */
  private static final int BLOCK = 32;

  private final int elementSize;
  private final long[] sizes;
  private final long[] from;
  private final long[] to;
  private final int inner;

  /** The dimension in which the source is contiguous, when that is not the inner one; else -1. */
  private final int crossed;

  private StridedCopy(int elementSize, Collapse walk) {
    this.elementSize = elementSize;
    this.sizes = walk.sizes;
    this.from = walk.strides[0];
    this.to = walk.strides[1];
    this.inner = sizes.length - 1;
    this.crossed = crossedDimension();
  }

  /** Copies an array of elements of 1, 2, 4, 8 or 16 bytes. */
  public static void copy(
      int elementSize,
      long[] sizes,
      long source,
      long[] sourceStrides,
      long target,
      long[] targetStrides) {
    Collapse walk = Collapse.of(sizes, sourceStrides, targetStrides);
    if (walk.elementCount() > 0) {
      new StridedCopy(elementSize, walk).copy(0, source, target);
    }
  }

  /** Copies an array of strings or other objects, which begin at the given offsets. */
  public static void copy(
      long[] sizes,
      Object[] source,
      long sourceOffset,
      long[] sourceStrides,
      Object[] target,
      long targetOffset,
      long[] targetStrides) {
    Collapse walk = Collapse.of(sizes, sourceStrides, targetStrides);
    if (walk.elementCount() > 0) {
      copyObjects(walk, 0, source, (int) sourceOffset, target, (int) targetOffset);
    }
  }

  private int crossedDimension() {
    if (from[inner] == 1 || to[inner] != 1) {
      return -1;
    }
    for (int i = 0; i < inner; i++) {
      if (from[i] == 1) {
        return i;
      }
    }
    return -1;
  }

  private void copy(int dimension, long source, long target) {
    if (dimension == inner) {
      if (crossed >= 0) {
        copyCrossed(source, target);
      } else {
        copyRow(source, from[inner] * elementSize, target, to[inner] * elementSize, sizes[inner]);
      }
      return;
    }
    if (dimension == crossed) {
      copy(dimension + 1, source, target);
      return;
    }
    long fromStep = from[dimension] * elementSize;
    long toStep = to[dimension] * elementSize;
    for (long i = 0; i < sizes[dimension]; i++) {
      copy(dimension + 1, source + i * fromStep, target + i * toStep);
    }
  }

  private void copyCrossed(long source, long target) {
    long across = from[inner] * elementSize;
    long down = to[crossed] * elementSize;
    if (BlockTranspose.serves(elementSize)) {
      BlockTranspose.run(elementSize, sizes[crossed], sizes[inner], source, across, target, down);
      return;
    }
    for (long row = 0; row < sizes[crossed]; row += BLOCK) {
      long rowEnd = Math.min(row + BLOCK, sizes[crossed]);
      for (long column = 0; column < sizes[inner]; column += BLOCK) {
        long columns = Math.min(BLOCK, sizes[inner] - column);
        for (long i = row; i < rowEnd; i++) {
          long in = source + i * elementSize + column * across;
          copyElements(in, across, target + i * down + column * elementSize, elementSize, columns);
        }
      }
    }
  }

  private void copyRow(long source, long sourceStep, long target, long targetStep, long count) {
    if (sourceStep == elementSize
        && targetStep == elementSize
        && count * elementSize >= BULK_BYTES) {
      Memory.copy(source, target, count * elementSize);
    } else {
      copyElements(source, sourceStep, target, targetStep, count);
    }
  }

  /** Steps are in bytes. */
  private void copyElements(
      long source, long sourceStep, long target, long targetStep, long count) {
    switch (elementSize) {
      case 1:
        for (long i = 0; i < count; i++) {
          Memory.putByte(target + i * targetStep, Memory.getByte(source + i * sourceStep));
        }
        break;
      case 2:
        for (long i = 0; i < count; i++) {
          Memory.putShort(target + i * targetStep, Memory.getShort(source + i * sourceStep));
        }
        break;
      case 4:
        for (long i = 0; i < count; i++) {
          Memory.putInt(target + i * targetStep, Memory.getInt(source + i * sourceStep));
        }
        break;
      case 8:
        for (long i = 0; i < count; i++) {
          Memory.putLong(target + i * targetStep, Memory.getLong(source + i * sourceStep));
        }
        break;
      default:
        for (long i = 0; i < count; i++) {
          long in = source + i * sourceStep;
          long out = target + i * targetStep;
          Memory.putLong(out, Memory.getLong(in));
          Memory.putLong(out + 8, Memory.getLong(in + 8));
        }
        break;
    }
  }

  private static void copyObjects(
      Collapse walk, int dimension, Object[] source, int sourceAt, Object[] target, int targetAt) {
    int size = (int) walk.sizes[dimension];
    int fromStep = (int) walk.strides[0][dimension];
    int toStep = (int) walk.strides[1][dimension];
    for (int i = 0; i < size; i++) {
      if (dimension == walk.rank() - 1) {
        Variant.put(target, targetAt + i * toStep, source[sourceAt + i * fromStep]);
      } else {
        copyObjects(
            walk, dimension + 1, source, sourceAt + i * fromStep, target, targetAt + i * toStep);
      }
    }
  }
}
