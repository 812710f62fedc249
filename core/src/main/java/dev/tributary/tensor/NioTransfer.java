package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Copies between {@code java.nio} buffers and native memory with one bulk move, whether they are direct or on the heap. */
final class NioTransfer {
  private NioTransfer() {}

  static void copy(Buffer from, long to, DataType type) {
    int count = from.remaining();
    check(from, type, count);
    if (from.isDirect()) {
      Memory.copy(Memory.addressOf(from) + (long) from.position() * type.size(), to, (long) count * type.size());
      Reference.reachabilityFence(from);
    } else if (from instanceof FloatBuffer) {
      float[] values = new float[count];
      ((FloatBuffer) from).duplicate().get(values);
      Memory.copy(values, 0, to, count);
    } else if (from instanceof DoubleBuffer) {
      double[] values = new double[count];
      ((DoubleBuffer) from).duplicate().get(values);
      Memory.copy(values, 0, to, count);
    } else if (from instanceof IntBuffer) {
      int[] values = new int[count];
      ((IntBuffer) from).duplicate().get(values);
      Memory.copy(values, 0, to, count);
    } else if (from instanceof LongBuffer) {
      long[] values = new long[count];
      ((LongBuffer) from).duplicate().get(values);
      Memory.copy(values, 0, to, count);
    } else if (from instanceof ShortBuffer) {
      short[] values = new short[count];
      ((ShortBuffer) from).duplicate().get(values);
      Memory.copy(values, 0, to, count);
    } else {
      byte[] values = new byte[count];
      ((ByteBuffer) from).duplicate().get(values);
      Memory.copy(values, 0, to, count);
    }
    from.position(from.limit());
  }

  static void copy(long from, Buffer to, DataType type, int count) {
    check(to, type, count);
    if (to.isDirect()) {
      Memory.copy(from, Memory.addressOf(to) + (long) to.position() * type.size(), (long) count * type.size());
      to.position(to.position() + count);
      Reference.reachabilityFence(to);
    } else if (to instanceof FloatBuffer) {
      float[] values = new float[count];
      Memory.copy(from, values, 0, count);
      ((FloatBuffer) to).put(values);
    } else if (to instanceof DoubleBuffer) {
      double[] values = new double[count];
      Memory.copy(from, values, 0, count);
      ((DoubleBuffer) to).put(values);
    } else if (to instanceof IntBuffer) {
      int[] values = new int[count];
      Memory.copy(from, values, 0, count);
      ((IntBuffer) to).put(values);
    } else if (to instanceof LongBuffer) {
      long[] values = new long[count];
      Memory.copy(from, values, 0, count);
      ((LongBuffer) to).put(values);
    } else if (to instanceof ShortBuffer) {
      short[] values = new short[count];
      Memory.copy(from, values, 0, count);
      ((ShortBuffer) to).put(values);
    } else {
      byte[] values = new byte[count];
      Memory.copy(from, values, 0, count);
      ((ByteBuffer) to).put(values);
    }
  }

  private static void check(Buffer buffer, DataType type, int count) {
    if (type.isObject() || widthOf(buffer) != type.size() || orderOf(buffer) != ByteOrder.nativeOrder()) {
      throw TributaryException.invalidArgument(
          "a %s in %s order does not fit %s elements", buffer.getClass().getSimpleName(), orderOf(buffer), type.lowerName());
    }
    if (buffer.remaining() < count) {
      throw TributaryException.invalidArgument("the buffer has room for %d elements, the tensor has %d", buffer.remaining(), count);
    }
  }

  private static int widthOf(Buffer buffer) {
    if (buffer instanceof FloatBuffer || buffer instanceof IntBuffer) {
      return 4;
    }
    if (buffer instanceof DoubleBuffer || buffer instanceof LongBuffer) {
      return 8;
    }
    return buffer instanceof ShortBuffer ? 2 : 1;
  }

  private static ByteOrder orderOf(Buffer buffer) {
    if (buffer instanceof FloatBuffer) {
      return ((FloatBuffer) buffer).order();
    }
    if (buffer instanceof DoubleBuffer) {
      return ((DoubleBuffer) buffer).order();
    }
    if (buffer instanceof IntBuffer) {
      return ((IntBuffer) buffer).order();
    }
    if (buffer instanceof LongBuffer) {
      return ((LongBuffer) buffer).order();
    }
    if (buffer instanceof ShortBuffer) {
      return ((ShortBuffer) buffer).order();
    }
    return ByteOrder.nativeOrder();
  }
}
