package dev.tributary.internal.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import sun.misc.Unsafe;

/**
 * Raw access to native memory: the only class that touches {@link Unsafe}, so that another means
 * can replace it in one place.
 *
 * <p>Nothing here checks bounds: an address must lie inside a live {@link Storage}. Kernels take
 * {@link Storage#address} once and step through it with plain arithmetic, which the JIT turns into
 * single moves.
 */
public final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final long ALIGNMENT = 64;
  private static final long BUFFER_ADDRESS = bufferField("address");
  private static final long BUFFER_CAPACITY = bufferField("capacity");
  private static final ByteBuffer NOWHERE = ByteBuffer.allocateDirect(0);
  private static final long BYTES = Unsafe.ARRAY_BYTE_BASE_OFFSET;
  private static final long SHORTS = Unsafe.ARRAY_SHORT_BASE_OFFSET;
  private static final long INTS = Unsafe.ARRAY_INT_BASE_OFFSET;
  private static final long LONGS = Unsafe.ARRAY_LONG_BASE_OFFSET;
  private static final long FLOATS = Unsafe.ARRAY_FLOAT_BASE_OFFSET;
  private static final long DOUBLES = Unsafe.ARRAY_DOUBLE_BASE_OFFSET;
  private static final long BOOLEANS = Unsafe.ARRAY_BOOLEAN_BASE_OFFSET;

  private Memory() {}

  /**
   * Fresh memory that begins at a multiple of 64. Where the system's own block begins stands in the
   * 8 bytes before it.
   */
  static long allocate(long bytes) {
    // The system aligns blocks to 16 bytes at least, so rounding up to the next multiple of 64
    // leaves room for 8.
    long block = UNSAFE.allocateMemory(bytes + ALIGNMENT);
    long address = (block + ALIGNMENT) & -ALIGNMENT;
    UNSAFE.putLong(address - Long.BYTES, block);
    return address;
  }

  static void free(long address) {
    UNSAFE.freeMemory(UNSAFE.getLong(address - Long.BYTES));
  }

  /**
   * A buffer over native memory, in the machine's byte order. Good for as long as the tensor below
   * is held: the buffer itself keeps nothing alive.
   */
  public static ByteBuffer bytes(long address, int count) {
    return at(NOWHERE.duplicate().order(ByteOrder.nativeOrder()), address, count);
  }

  /** Makes a fresh direct buffer stand on {@code count} of its elements from {@code address} on. */
  public static <B extends Buffer> B at(B direct, long address, int count) {
    UNSAFE.putLong(direct, BUFFER_ADDRESS, address);
    UNSAFE.putInt(direct, BUFFER_CAPACITY, count);
    direct.clear();
    return direct;
  }

  /**
   * Returns where a direct buffer's memory begins; good for as long as somebody holds the buffer.
   */
  public static long address(ByteBuffer direct) {
    return UNSAFE.getLong(direct, BUFFER_ADDRESS);
  }

  /** Unmaps a file now rather than when the buffer is collected; nobody may touch it any more. */
  public static void unmap(MappedByteBuffer mapped) {
    UNSAFE.invokeCleaner(mapped);
  }

  public static void fill(long address, long bytes, byte value) {
    UNSAFE.setMemory(address, bytes, value);
  }

  public static void copy(long from, long to, long bytes) {
    UNSAFE.copyMemory(from, to, bytes);
  }

  public static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  public static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  public static short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  public static void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  public static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  public static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  public static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  public static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  public static float getFloat(long address) {
    return UNSAFE.getFloat(address);
  }

  public static void putFloat(long address, float value) {
    UNSAFE.putFloat(address, value);
  }

  public static double getDouble(long address) {
    return UNSAFE.getDouble(address);
  }

  public static void putDouble(long address, double value) {
    UNSAFE.putDouble(address, value);
  }

  public static boolean getBoolean(long address) {
    return UNSAFE.getByte(address) != 0;
  }

  public static void putBoolean(long address, boolean value) {
    UNSAFE.putByte(address, value ? (byte) 1 : 0);
  }

  public static void copy(long from, float[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, FLOATS + 4L * offset, 4L * count);
  }

  public static void copy(float[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, FLOATS + 4L * offset, null, to, 4L * count);
  }

  public static void copy(long from, double[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, DOUBLES + 8L * offset, 8L * count);
  }

  public static void copy(double[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, DOUBLES + 8L * offset, null, to, 8L * count);
  }

  public static void copy(long from, int[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, INTS + 4L * offset, 4L * count);
  }

  public static void copy(int[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, INTS + 4L * offset, null, to, 4L * count);
  }

  public static void copy(long from, long[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, LONGS + 8L * offset, 8L * count);
  }

  public static void copy(long[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, LONGS + 8L * offset, null, to, 8L * count);
  }

  public static void copy(long from, short[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, SHORTS + 2L * offset, 2L * count);
  }

  public static void copy(short[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, SHORTS + 2L * offset, null, to, 2L * count);
  }

  public static void copy(long from, byte[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, BYTES + offset, count);
  }

  public static void copy(byte[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, BYTES + offset, null, to, count);
  }

  public static void copy(long from, boolean[] to, int offset, int count) {
    UNSAFE.copyMemory(null, from, to, BOOLEANS + offset, count);
  }

  public static void copy(boolean[] from, int offset, long to, int count) {
    UNSAFE.copyMemory(from, BOOLEANS + offset, null, to, count);
  }

  /** Copies the bits of floats. */
  public static void copyBits(float[] from, int[] to, int count) {
    UNSAFE.copyMemory(from, FLOATS, to, INTS, 4L * count);
  }

  /** Copies bits to floats. */
  public static void copyBits(int[] from, float[] to, int count) {
    UNSAFE.copyMemory(from, INTS, to, FLOATS, 4L * count);
  }

  /** Copies from an array of primitives, whatever their type. */
  public static void copyArray(Object from, long to, long bytes) {
    UNSAFE.copyMemory(from, UNSAFE.arrayBaseOffset(from.getClass()), null, to, bytes);
  }

  /** Copies to an array of primitives, whatever their type. */
  public static void copyArray(long from, Object to, long bytes) {
    UNSAFE.copyMemory(null, from, to, UNSAFE.arrayBaseOffset(to.getClass()), bytes);
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long bufferField(String name) {
    try {
      return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(name));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
