package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.ToLongFunction;

/** The kernels that put strings into buckets by a hash. */
public final class StringHashes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SEED = 0xDECAFCAFFEL;
  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;

  private StringHashes() {}

  public static Kernel fast(KernelNode node) {
    return buckets(node, FarmHash::fingerprint64);
  }

  /** The kernel of _TensorToHashBucketFast: buckets of numbers in decimal. */
  public static Kernel ofNumbers(KernelNode node) {
    long count = node.attributes().integer("num_buckets");
    boolean unsigned = node.type() == DataType.UINT64;
    return context -> {
      Tensor input = context.input(0);
      long to = context.allocateOutput(0, input.shape()).storage().address();
      for (long i = 0; i < input.elementCount(); i++) {
        long number = IndexTensors.at(input, i);
        String text = unsigned ? Long.toUnsignedString(number) : Long.toString(number);
        long hash = FarmHash.fingerprint64(text.getBytes(StandardCharsets.US_ASCII));
        Memory.putLong(to + Long.BYTES * i, Long.remainderUnsigned(hash, count));
      }
    };
  }

  public static Kernel old(KernelNode node) {
    return buckets(node, StringHashes::murmur);
  }

  /** Buckets that nobody can fill on purpose who does not know the key. */
  public static Kernel strong(KernelNode node) {
    long[] key = node.attributes().integers("key");
    if (key.length != 2) {
      throw TributaryException.invalidArgument("Key must have 2 elements, got %d", key.length);
    }
    return buckets(node, string -> sipHash(key[0], key[1], string));
  }

  private static Kernel buckets(KernelNode node, ToLongFunction<byte[]> hash) {
    long count = node.attributes().integer("num_buckets");
    return context -> {
      Tensor input = context.input(0);
      Object[] strings = input.objects();
      long at = context.allocateOutput(0, input.shape()).storage().address();
      for (int i = 0; i < strings.length; i++) {
        long bucket = Long.remainderUnsigned(hash.applyAsLong((byte[]) strings[i]), count);
        Memory.putLong(at + 8L * i, bucket);
      }
    };
  }

  /** MurmurHash64A with TensorFlow's seed. */
  public static long murmur(byte[] s) {
    long hash = SEED ^ s.length * MULTIPLIER;
    int words = s.length & ~7;
    for (int at = 0; at < words; at += 8) {
      long k = (long) LONGS.get(s, at) * MULTIPLIER;
      hash = (hash ^ (k ^ k >>> 47) * MULTIPLIER) * MULTIPLIER;
    }
    if (words < s.length) {
      hash = (hash ^ tail(s, words)) * MULTIPLIER;
    }
    hash = (hash ^ hash >>> 47) * MULTIPLIER;
    return hash ^ hash >>> 47;
  }

  /** SipHash-2-4. */
  public static long sipHash(long key0, long key1, byte[] s) {
    long[] v = {
      key0 ^ 0x736f6d6570736575L,
      key1 ^ 0x646f72616e646f6dL,
      key0 ^ 0x6c7967656e657261L,
      key1 ^ 0x7465646279746573L
    };
    int words = s.length & ~7;
    for (int at = 0; at < words; at += 8) {
      absorb(v, (long) LONGS.get(s, at));
    }
    absorb(v, tail(s, words) | (long) s.length << 56);
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static void absorb(long[] v, long word) {
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
  }

  private static void rounds(long[] v, int count) {
    for (int i = 0; i < count; i++) {
      v[0] += v[1];
      v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
      v[0] = Long.rotateLeft(v[0], 32);
      v[2] += v[3];
      v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
      v[0] += v[3];
      v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
      v[2] += v[1];
      v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
      v[2] = Long.rotateLeft(v[2], 32);
    }
  }

  /** The bytes from {@code at} on, fewer than eight, as a number. */
  private static long tail(byte[] s, int at) {
    long bits = 0;
    for (int i = s.length - 1; i >= at; i--) {
      bits = bits << 8 | s[i] & 0xff;
    }
    return bits;
  }
}
