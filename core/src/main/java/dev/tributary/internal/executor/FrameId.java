package dev.tributary.internal.executor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Numbers of frames that every task works out alike, TensorFlow since 2.3 too, so that the parts of
 * a loop find each other's values: a frame's number follows from that of the frame around it, the
 * iteration there, and its name.
 */
final class FrameId {
  static final long ROOT = 0;

  private static final long SEED = 0xDECAFCAFFEL;
  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;
  private static final int SHIFT = 47;

  private FrameId() {}

  /** The frame of a name, by its hash, that is entered in some iteration of another frame. */
  static long of(long parent, long parentIteration, long nameHash) {
    return combine(parent, combine(parentIteration, nameHash));
  }

  static long hash(String frameName) {
    return hash(frameName.getBytes(StandardCharsets.UTF_8), SEED);
  }

  /** TensorFlow's 64-bit hash, a MurmurHash2. */
  static long hash(byte[] bytes, long seed) {
    ByteBuffer data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long hash = seed ^ bytes.length * MULTIPLIER;
    while (data.remaining() >= Long.BYTES) {
      long word = data.getLong() * MULTIPLIER;
      hash = (hash ^ (word ^ word >>> SHIFT) * MULTIPLIER) * MULTIPLIER;
    }
    if (data.hasRemaining()) {
      long tail = 0;
      for (int shift = 0; data.hasRemaining(); shift += Byte.SIZE) {
        tail |= (data.get() & 0xffL) << shift;
      }
      hash = (hash ^ tail) * MULTIPLIER;
    }
    hash = (hash ^ hash >>> SHIFT) * MULTIPLIER;
    return hash ^ hash >>> SHIFT;
  }

  private static long combine(long a, long b) {
    return a ^ b + 0x9e3779b97f4a7800L + (a << 10) + (a >>> 4);
  }
}
