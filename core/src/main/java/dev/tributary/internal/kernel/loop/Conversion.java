package dev.tributary.internal.kernel.loop;

/**
 * Converts tiles from one carrier to another as C++ on x86-64 does: floats are cut towards zero,
 * and what is no int or long becomes the least one; longs lose their upper bits; whatever is not
 * zero is true. Complex numbers become their real parts.
 */
final class Conversion {
  private Conversion() {}

  static void convert(Carrier from, Object in, Carrier to, Object out, int count) {
    if (from == to) {
      from.copy(in, 0, out, 0, count);
      return;
    }
    if (to == Carrier.COMPLEX) {
      toComplexes(from, in, (double[]) out, count);
      return;
    }
    switch (from) {
      case FLOAT:
        ofFloats((float[]) in, to, out, count);
        break;
      case DOUBLE:
        ofDoubles((double[]) in, to, out, count);
        break;
      case INT:
        ofInts((int[]) in, to, out, count);
        break;
      case LONG:
        ofLongs((long[]) in, to, out, count);
        break;
      case BOOLEAN:
        ofBooleans((boolean[]) in, to, out, count);
        break;
      case COMPLEX:
        ofComplexes((double[]) in, to, out, count);
        break;
    }
  }

  static int toInt(double value) {
    return value < 0x1p31 ? (int) value : Integer.MIN_VALUE;
  }

  static long toLong(double value) {
    return value < 0x1p63 ? (long) value : Long.MIN_VALUE;
  }

  private static void ofFloats(float[] in, Carrier to, Object out, int count) {
    if (to == Carrier.DOUBLE) {
      double[] target = (double[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i];
      }
    } else if (to == Carrier.INT) {
      int[] target = (int[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i] < 0x1p31f ? (int) in[i] : Integer.MIN_VALUE;
      }
    } else if (to == Carrier.LONG) {
      long[] target = (long[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i] < 0x1p63f ? (long) in[i] : Long.MIN_VALUE;
      }
    } else {
      boolean[] target = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i] != 0;
      }
    }
  }

  private static void ofDoubles(double[] in, Carrier to, Object out, int count) {
    if (to == Carrier.FLOAT) {
      float[] target = (float[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = (float) in[i];
      }
    } else if (to == Carrier.INT) {
      int[] target = (int[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = toInt(in[i]);
      }
    } else if (to == Carrier.LONG) {
      long[] target = (long[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = toLong(in[i]);
      }
    } else {
      boolean[] target = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i] != 0;
      }
    }
  }

  private static void ofInts(int[] in, Carrier to, Object out, int count) {
    if (to == Carrier.FLOAT) {
      float[] target = (float[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i];
      }
    } else if (to == Carrier.DOUBLE) {
      double[] target = (double[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i];
      }
    } else if (to == Carrier.LONG) {
      long[] target = (long[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i];
      }
    } else {
      boolean[] target = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i] != 0;
      }
    }
  }

  private static void ofLongs(long[] in, Carrier to, Object out, int count) {
    if (to == Carrier.FLOAT) {
      float[] target = (float[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i];
      }
    } else if (to == Carrier.DOUBLE) {
      double[] target = (double[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i];
      }
    } else if (to == Carrier.INT) {
      int[] target = (int[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = (int) in[i];
      }
    } else {
      boolean[] target = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        target[i] = in[i] != 0;
      }
    }
  }

  /** The doubles are put into the first half, and moved apart from the last one on. */
  private static void toComplexes(Carrier from, Object in, double[] out, int count) {
    convert(from, in, Carrier.DOUBLE, out, count);
    for (int i = count - 1; i >= 0; i--) {
      out[2 * i] = out[i];
      out[2 * i + 1] = 0;
    }
  }

  private static void ofComplexes(double[] in, Carrier to, Object out, int count) {
    double[] reals = new double[count];
    for (int i = 0; i < count; i++) {
      reals[i] = in[2 * i];
    }
    convert(Carrier.DOUBLE, reals, to, out, count);
  }

  /**
   * Only tiles of ints are made from booleans directly; the others go by way of these, as casts
   * from bool are rare.
   */
  private static void ofBooleans(boolean[] in, Carrier to, Object out, int count) {
    int[] ints =
        to == Carrier.INT ? (int[]) out : (int[]) Tiles.own().tile(Carrier.INT, Tiles.CONVERSION);
    for (int i = 0; i < count; i++) {
      ints[i] = in[i] ? 1 : 0;
    }
    if (to != Carrier.INT) {
      ofInts(ints, to, out, count);
    }
  }
}
