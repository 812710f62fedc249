package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.ragged.RowPartition;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The kernels between strings of some encoding and Unicode's code points. */
public final class UnicodeKernels {
  private static final int REPLACEMENT = 0xfffd;

  /** Collects code points, and where they begin. */
  private static final class Points {
    private int[] points = new int[16];
    private long[] starts = new long[16];
    private int count;

    void add(int point, long start) {
      if (count == points.length) {
        points = Arrays.copyOf(points, 2 * count);
        starts = Arrays.copyOf(starts, 2 * count);
      }
      points[count] = point;
      starts[count++] = start;
    }
  }

  private UnicodeKernels() {}

  /**
   * The code points of each string, as one row of a ragged tensor.
   *
   * @param offsets whether a third output tells where in its string each code point begins
   */
  public static Kernel decode(KernelNode node, boolean offsets) {
    UnicodeDecoder decoder = UnicodeDecoder.of(node.attributes().string("input_encoding"));
    UnicodeErrors errors = UnicodeErrors.of(node.attributes());
    return context -> {
      Object[] strings = context.input(0).objects();
      Points points = new Points();
      long[] splits = new long[strings.length + 1];
      for (int i = 0; i < strings.length; i++) {
        decode((byte[]) strings[i], decoder, errors, points);
        splits[i + 1] = points.count;
      }
      IndexTensors.setVector(context, 0, splits);
      Shape shape = Shape.of(points.count);
      long to = context.allocateOutput(1, shape).storage().address();
      Memory.copy(points.points, 0, to, points.count);
      if (offsets) {
        long starts = context.allocateOutput(2, shape).storage().address();
        Memory.copy(points.starts, 0, starts, points.count);
      }
    };
  }

  private static void decode(
      byte[] string, UnicodeDecoder decoder, UnicodeErrors errors, Points points) {
    long[] at = {0};
    decoder.decode(
        string,
        (point, bytes, isValid) -> {
          if (!isValid && errors.strict()) {
            throw errors.badString();
          }
          boolean replaced = errors.isReplaced(point, isValid);
          if (!replaced || !errors.ignore()) {
            points.add(replaced ? errors.replacement() : point, at[0]);
          }
          at[0] += bytes;
        });
  }

  /** The string of each row of code points of a ragged tensor. */
  public static Kernel encode(KernelNode node) {
    String encoding = node.attributes().string("output_encoding");
    UnicodeErrors errors = UnicodeErrors.of(node.attributes());
    return context -> encode(context, encoding, errors);
  }

  private static void encode(KernelContext context, String encoding, UnicodeErrors errors) {
    Tensor points = context.input(0);
    IndexTensors.vector(points, "input_values");
    RowPartition rows = RowPartition.ofSplits(context.input(1));
    if (rows.items() != points.elementCount()) {
      throw TributaryException.invalidArgument(
          "The last element of input_splits must be the number of input_values %d, got %d",
          points.elementCount(), rows.items());
    }
    Object[] strings = context.allocateOutput(0, Shape.of(rows.rows())).objects();
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < strings.length; row++) {
      text.setLength(0);
      for (long i = rows.start(row); i < rows.end(row); i++) {
        int point = points.getInt(i);
        if (!isCharacter(point) && errors.strict()) {
          throw TributaryException.invalidArgument(
              "Code point value out of valid Unicode range: %d", point);
        }
        int written = isCharacter(point) || errors.ignore() ? point : errors.replacement();
        if (Character.isValidCodePoint(written)) {
          text.appendCodePoint(written);
        }
      }
      strings[row] = bytes(text, encoding);
    }
  }

  /** Returns true for a code point that text may have: no surrogate, no noncharacter. */
  private static boolean isCharacter(int point) {
    boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    boolean noncharacter = (point & 0xfffe) == 0xfffe || point >= 0xfdd0 && point <= 0xfdef;
    return Character.isValidCodePoint(point) && !surrogate && !noncharacter;
  }

  /** Each string in another encoding. */
  public static Kernel transcode(KernelNode node) {
    UnicodeDecoder decoder = UnicodeDecoder.of(node.attributes().string("input_encoding"));
    String encoding = node.attributes().string("output_encoding");
    UnicodeErrors errors = UnicodeErrors.of(node.attributes());
    return ElementStrings.map(
        string -> {
          StringBuilder text = new StringBuilder(string.length);
          decoder.decode(
              string,
              (point, bytes, isValid) -> {
                boolean replaced = errors.isReplaced(point, isValid);
                if (replaced && errors.strict()) {
                  throw errors.badString();
                }
                if (!replaced || !errors.ignore()) {
                  text.appendCodePoint(replaced ? errors.replacement() : point);
                }
              });
          return bytes(text, encoding);
        });
  }

  /** The text in an encoding, where a lone surrogate is no character of UTF-8. */
  private static byte[] bytes(CharSequence text, String encoding) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * text.length());
    boolean wide = encoding.equals("UTF-32-BE");
    for (int i = 0; i < text.length(); ) {
      int point = encoding.equals("UTF-16-BE") ? text.charAt(i) : Character.codePointAt(text, i);
      if (encoding.equals("UTF-8")) {
        boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        Utf8.write(lone ? REPLACEMENT : point, bytes);
      } else {
        for (int shift = wide ? 24 : 8; shift >= 0; shift -= 8) {
          bytes.write(point >>> shift);
        }
      }
      i += Character.charCount(point);
    }
    return bytes.toByteArray();
  }
}
