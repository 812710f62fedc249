package dev.tributary.internal.kernel.random;

import dev.tributary.tensor.DataType;

/**
 * Normal elements drawn again until they lie within two deviations. How many draws that takes
 * varies, so each group of as many elements as a block holds has a region of the stream to itself,
 * which makes the groups independent of each other.
 */
final class TruncatedNormal implements Distribution {
  /** Words reserved for each element of a group. Part of the numbers' definition. */
  private static final int WORDS_PER_ELEMENT = 256;

  /**
   * The high word of the float or double 2.0, without regard to sign: what is not below is cut off.
   */
  private static final int TWO = 0x40000000;

  private static final int MAGNITUDE = 0x7fffffff;

  private final ElementFormat format;
  private final BlockTransform normal;

  TruncatedNormal(DataType type, BlockTransform normal) {
    this.format = ElementFormat.of(type);
    this.normal = normal;
  }

  @Override
  public int elementsPerGroup() {
    return format.elementsPerBlock();
  }

  @Override
  public long blocksPerGroup() {
    return (long) elementsPerGroup() * WORDS_PER_ELEMENT / Philox.WORDS_PER_BLOCK;
  }

  @Override
  public void fill(Philox source, long address, long count) {
    final int group = elementsPerGroup();
    final long region = blocksPerGroup();
    final int[] block = new int[Philox.WORDS_PER_BLOCK];
    final int[] accepted = new int[Philox.WORDS_PER_BLOCK];
    for (long done = 0; done < count; done += group) {
      Philox stream = source.copy();
      source.skip(region);
      accept(stream, block, accepted);
      format.store(accepted, (int) Math.min(group, count - done), address + done * format.bytes);
    }
  }

  private void accept(Philox stream, int[] block, int[] accepted) {
    final int size = format.wordsPerElement;
    int filled = 0;
    while (filled < accepted.length) {
      stream.fill(block, 1);
      normal.apply(block, block.length);
      for (int i = 0; i < block.length && filled < accepted.length; i += size) {
        if ((block[i + size - 1] & MAGNITUDE) < TWO) {
          System.arraycopy(block, i, accepted, filled, size);
          filled += size;
        }
      }
    }
  }
}
