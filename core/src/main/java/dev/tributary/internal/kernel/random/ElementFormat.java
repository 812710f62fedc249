package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/**
 * The layout in a tensor of elements that are computed in 32-bit words. Elements of 8 bytes take
 * two words, the low one first; those of 2 bytes are computed as floats and rounded to nearest,
 * ties to even, as they are stored.
 */
enum ElementFormat {
  WORD(1, 4) {
    @Override
    void store(int[] words, int elements, long address) {
      Memory.copy(words, 0, address, elements);
    }
  },
  DOUBLE_WORD(2, 8) {
    @Override
    void store(int[] words, int elements, long address) {
      for (int i = 0; i < elements; i++) {
        Memory.putLong(address + 8L * i, Philox.join(words[2 * i], words[2 * i + 1]));
      }
    }
  },
  HALF(1, 2) {
    @Override
    void store(int[] words, int elements, long address) {
      for (int i = 0; i < elements; i++) {
        Memory.putShort(address + 2L * i, halfBits(words[i]));
      }
    }
  },
  BFLOAT16(1, 2) {
    @Override
    void store(int[] words, int elements, long address) {
      for (int i = 0; i < elements; i++) {
        int bits = words[i];
        Memory.putShort(address + 2L * i, (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16));
      }
    }
  };

  final int wordsPerElement;
  final int bytes;

  ElementFormat(int wordsPerElement, int bytes) {
    this.wordsPerElement = wordsPerElement;
    this.bytes = bytes;
  }

  static ElementFormat of(DataType type) {
    return switch (type) {
      case FLOAT, INT32, UINT32 -> WORD;
      case DOUBLE, INT64, UINT64 -> DOUBLE_WORD;
      case HALF -> HALF;
      case BFLOAT16 -> BFLOAT16;
      default ->
          throw TributaryException.unimplemented("no random numbers of type %s", type.lowerName());
    };
  }

  abstract void store(int[] words, int elements, long address);

  int elementsPerBlock() {
    return Philox.WORDS_PER_BLOCK / wordsPerElement;
  }

  /**
   * The half nearest to a float of magnitude below 2^15, which all distributions here stay under.
   */
  private static short halfBits(int floatBits) {
    float magnitude = Float.intBitsToFloat(floatBits & 0x7fffffff);
    int sign = floatBits >>> 16 & 0x8000;
    if (magnitude < 0x1p-14f) {
      // Subnormal halves are multiples of 2^-24; rint rounds ties to even as stores must.
      return (short) (sign | (int) Math.rint(magnitude * 0x1p24));
    }
    int bits = (floatBits & 0x7fffffff) - (112 << 23);
    return (short) (sign | bits + 0xfff + (bits >>> 13 & 1) >>> 13);
  }
}
