package dev.tributary.internal.kernel.random;

import dev.tributary.tensor.DataType;

/**
 * A distribution which makes a fixed number of elements from each random block, a heap tile at a
 * time.
 */
final class TiledDistribution implements Distribution {
  private static final int TILE_BLOCKS = 256;

  private final ElementFormat format;
  private final BlockTransform transform;

  TiledDistribution(DataType type, BlockTransform transform) {
    this.format = ElementFormat.of(type);
    this.transform = transform;
  }

  @Override
  public int elementsPerGroup() {
    return format.elementsPerBlock();
  }

  @Override
  public long blocksPerGroup() {
    return 1;
  }

  @Override
  public void fill(Philox source, long address, long count) {
    final int perBlock = format.elementsPerBlock();
    final long totalBlocks = (count + perBlock - 1) / perBlock;
    final int tileBlocks = (int) Math.min(TILE_BLOCKS, totalBlocks);
    final int[] words = new int[Philox.WORDS_PER_BLOCK * tileBlocks];
    for (long done = 0; done < count; done += (long) tileBlocks * perBlock) {
      int elements = (int) Math.min(count - done, (long) tileBlocks * perBlock);
      int blocks = (elements + perBlock - 1) / perBlock;
      source.fill(words, blocks);
      transform.apply(words, Philox.WORDS_PER_BLOCK * blocks);
      format.store(words, elements, address + done * format.bytes);
    }
  }
}
