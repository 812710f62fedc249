package dev.tributary.internal.kernel.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * FarmHash's {@code Fingerprint64}, which never changes: StringToHashBucketFast and feature columns
 * put strings into buckets by it. Stateless; an instance is the work on one long string.
 */
public final class FarmHash {
  private static final long K0 = 0xc3a5c85c97cb3127L;
  private static final long K1 = 0xb492b66fbe98f273L;
  private static final long K2 = 0x9ae16a3b2f90404fL;
  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;

  /** 81 times K2, and 81 times K1 plus 113: where the work on a long string starts. */
  private static final long START_X = 0x1529cba0ca458ffL;

  private static final long START_Y = 0x226bb95b4e64b6d4L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] s;
  private long x;
  private long y = START_Y;
  private long z = shifted(y * K2 + 113) * K2;
  private long v0;
  private long v1;
  private long w0;
  private long w1;

  private FarmHash(byte[] s) {
    this.s = s;
    this.x = START_X + word(s, 0);
  }

  public static long fingerprint64(byte[] s) {
    int n = s.length;
    long m = K2 + 2L * n;
    if (n == 0) {
      return K2;
    }
    if (n < 4) {
      long low = (s[0] & 0xff) + ((long) (s[n / 2] & 0xff) << 8);
      long high = n + ((long) (s[n - 1] & 0xff) << 2);
      return shifted(low * K2 ^ high * K0) * K2;
    }
    if (n < 8) {
      return mix(n + (half(s, 0) << 3), half(s, n - 4), m);
    }
    if (n <= 16) {
      long a = word(s, 0) + K2;
      long b = word(s, n - 8);
      return mix(right(b, 37) * m + a, (right(a, 25) + b) * m, m);
    }
    if (n <= 32) {
      return middle(s, word(s, 0) * K1, m);
    }
    return n <= 64 ? long64(s, m) : new FarmHash(s).longer();
  }

  /** The fingerprint of what two fingerprints stand for, one after the other. */
  public static long concatenate(long first, long second) {
    long hash = first ^ MULTIPLIER;
    hash ^= shifted(second * MULTIPLIER) * MULTIPLIER;
    hash *= MULTIPLIER;
    hash = shifted(hash) * MULTIPLIER;
    return shifted(hash);
  }

  private static long middle(byte[] s, long a, long m) {
    int n = s.length;
    long b = word(s, 8);
    long c = word(s, n - 8) * m;
    long d = word(s, n - 16) * K2;
    return mix(right(a + b, 43) + right(c, 30) + d, a + right(b + K2, 18) + c, m);
  }

  private static long long64(byte[] s, long m) {
    int n = s.length;
    long a = word(s, 0) * K2;
    long y = right(a + word(s, 8), 43) + right(word(s, n - 8) * m, 30) + word(s, n - 16) * K2;
    long z = middle(s, a, m);
    long e = word(s, 16) * m;
    long f = word(s, 24);
    long g = (y + word(s, n - 32)) * m;
    long h = (z + word(s, n - 24)) * m;
    return mix(right(e + f, 43) + right(g, 30) + h, e + right(f + a, 18) + g, m);
  }

  private long longer() {
    int n = s.length;
    int end = (n - 1) / 64 * 64;
    for (int at = 0; at < end; at += 64) {
      round(at, K1, 1);
    }
    long m = K1 + ((z & 0xff) << 1);
    w0 += n - 1 & 63;
    v0 += w0;
    w0 += v0;
    round(n - 64, m, 9);
    return mix(mix(v0, w0, m) + shifted(y) * K0 + z, mix(v1, w1, m) + x, m);
  }

  private void round(int at, long t, long q) {
    x = right(x + y + v0 + word(s, at + 8), 37) * t;
    y = right(y + v1 + word(s, at + 48), 42) * t;
    x ^= w1 * q;
    y += v0 * q + word(s, at + 40);
    z = right(z + w0, 33) * t;
    long a = v1 * t;
    long b = x + w0;
    long c = z + w1;
    long d = y + word(s, at + 16);
    v0 = weakFirst(at, a);
    v1 = weakSecond(at, a, b);
    w0 = weakFirst(at + 32, c);
    w1 = weakSecond(at + 32, c, d);
    long swapped = x;
    x = z;
    z = swapped;
  }

  private long weakFirst(int at, long a) {
    return a + word(s, at) + word(s, at + 8) + word(s, at + 16) + word(s, at + 24);
  }

  private long weakSecond(int at, long a, long b) {
    long start = a + word(s, at);
    long turned = right(b + start + word(s, at + 24), 21);
    return turned + right(start + word(s, at + 8) + word(s, at + 16), 44) + start;
  }

  private static long mix(long u, long v, long m) {
    long a = shifted((u ^ v) * m);
    return shifted((v ^ a) * m) * m;
  }

  private static long shifted(long value) {
    return value ^ value >>> 47;
  }

  private static long right(long value, int bits) {
    return Long.rotateRight(value, bits);
  }

  private static long word(byte[] s, int at) {
    return (long) LONGS.get(s, at);
  }

  private static long half(byte[] s, int at) {
    return (int) INTS.get(s, at) & 0xffffffffL;
  }
}
