package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;

/**
 * Copies between {@code java.nio} buffers and native memory with one bulk move, whether they are
 * direct or on the heap and whatever their byte order is.
 */
final class NioTransfer {
  private NioTransfer() {}

  static void copy(Buffer from, long to, DataType type) {
    move(from, over(from, to, from.remaining(), type));
  }

  static void copy(long from, Buffer to, DataType type, int count) {
    Buffer elements = over(to, from, count, type);
    if (to.remaining() < count) {
      throw TributaryException.invalidArgument(
          "the buffer has room for %d elements, the tensor has %d", to.remaining(), count);
    }
    try {
      move(elements, to);
    } catch (ReadOnlyBufferException e) {
      throw TributaryException.invalidArgument("the buffer is read-only");
    }
  }

  /** A buffer of the same kind as {@code other} over native memory. */
  private static Buffer over(Buffer other, long address, int count, DataType type) {
    ByteBuffer seed = Memory.bytes(address, 0);
    if (other instanceof ByteBuffer && type.size() == 1) {
      return Memory.at(seed, address, count);
    } else if (other instanceof ShortBuffer && type.size() == 2) {
      return Memory.at(seed.asShortBuffer(), address, count);
    } else if (other instanceof IntBuffer && type.size() == 4) {
      return Memory.at(seed.asIntBuffer(), address, count);
    } else if (other instanceof FloatBuffer && type.size() == 4) {
      return Memory.at(seed.asFloatBuffer(), address, count);
    } else if (other instanceof LongBuffer && type.size() == 8) {
      return Memory.at(seed.asLongBuffer(), address, count);
    } else if (other instanceof DoubleBuffer && type.size() == 8) {
      return Memory.at(seed.asDoubleBuffer(), address, count);
    }
    throw TributaryException.invalidArgument(
        "a %s does not hold %s elements", other.getClass().getSimpleName(), type.lowerName());
  }

  private static void move(Buffer from, Buffer to) {
    if (to instanceof ByteBuffer bytes) {
      bytes.put((ByteBuffer) from);
    } else if (to instanceof ShortBuffer shorts) {
      shorts.put((ShortBuffer) from);
    } else if (to instanceof IntBuffer ints) {
      ints.put((IntBuffer) from);
    } else if (to instanceof FloatBuffer floats) {
      floats.put((FloatBuffer) from);
    } else if (to instanceof LongBuffer longs) {
      longs.put((LongBuffer) from);
    } else {
      ((DoubleBuffer) to).put((DoubleBuffer) from);
    }
  }
}
