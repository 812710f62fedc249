package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of StringLength and Substr, in bytes or in characters of UTF-8. */
public final class Substrings {
  private Substrings() {}

  public static Kernel length(KernelNode node) {
    boolean characters = countsCharacters(node);
    return context -> {
      Tensor input = context.input(0);
      Object[] strings = input.objects();
      long at = context.allocateOutput(0, input.shape()).storage().address();
      for (int i = 0; i < strings.length; i++) {
        byte[] string = (byte[]) strings[i];
        Memory.putInt(at + 4L * i, characters ? characters(string) : string.length);
      }
    };
  }

  public static Kernel part(KernelNode node) {
    boolean characters = countsCharacters(node);
    return context -> part(context, characters);
  }

  private static boolean countsCharacters(KernelNode node) {
    return node.attributes().string("unit").equals("UTF8_CHAR");
  }

  private static int characters(byte[] string) {
    int count = 0;
    for (byte b : string) {
      count += Utf8.isTrail(b) ? 0 : 1;
    }
    return count;
  }

  private static void part(KernelContext context, boolean characters) {
    Tensor input = context.input(0);
    Tensor positions = context.input(1);
    Tensor lengths = context.input(2);
    if (!positions.shape().equals(lengths.shape())) {
      throw TributaryException.invalidArgument(
          "pos and len should have the same shape, got: %s vs. %s",
          positions.shape(), lengths.shape());
    }
    if (positions.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "received empty tensor pos_tensor: %s", positions.shape());
    }
    Shape shape = Broadcast.shape(input.shape(), positions.shape());
    Object[] strings = input.objects();
    Object[] parts = context.allocateOutput(0, shape).objects();
    long[] ofStrings = Broadcast.repeatedStrides(input.shape(), shape.toArray());
    long[] ofPositions = Broadcast.repeatedStrides(positions.shape(), shape.toArray());
    long[] strides = shape.strides();
    for (int i = 0; i < parts.length; i++) {
      int from = 0;
      int at = 0;
      for (int d = 0; d < strides.length; d++) {
        long index = i / strides[d] % shape.size(d);
        from += (int) (index * ofStrings[d]);
        at += (int) (index * ofPositions[d]);
      }
      byte[] string = (byte[]) strings[from];
      long position = IndexTensors.at(positions, at);
      long length = IndexTensors.at(lengths, at);
      int start = characters ? startOfCharacter(string, position) : startOfByte(string, position);
      if (start < 0) {
        throw TributaryException.invalidArgument(
            "pos %d out of range for string at index %d", position, i);
      }
      int end =
          characters
              ? endOfCharacters(string, start, position, length)
              : end(string, start, length);
      parts[i] = Arrays.copyOfRange(string, start, end);
    }
  }

  private static int startOfByte(byte[] string, long position) {
    long start = position < 0 ? position + string.length : position;
    return start < 0 || start > string.length ? -1 : (int) start;
  }

  /** A negative length has no limit. */
  private static int end(byte[] string, int start, long length) {
    return length < 0 || length > string.length - start ? string.length : start + (int) length;
  }

  private static int startOfCharacter(byte[] string, long position) {
    if (position >= 0) {
      int at = 0;
      long count = 0;
      while (count < position && at < string.length) {
        at = next(string, at);
        count++;
      }
      return count == position ? at : -1;
    }
    int at = string.length;
    long count = 0;
    while (count > position && at > 0) {
      at = previous(string, at);
      count--;
    }
    return count == position ? at : -1;
  }

  /** From the front, a negative length is 0; from the end, it is an error of the position. */
  private static int endOfCharacters(byte[] string, int start, long position, long length) {
    if (length < 0 && position < 0) {
      throw TributaryException.invalidArgument(
          "pos %d out of range for a string of %d bytes with len %d",
          position, string.length, length);
    }
    int at = start;
    for (long count = 0; count < length && at < string.length; count++) {
      at = next(string, at);
    }
    return at;
  }

  private static int next(byte[] string, int at) {
    int next = at + 1;
    while (next < string.length && Utf8.isTrail(string[next])) {
      next++;
    }
    return next;
  }

  private static int previous(byte[] string, int at) {
    int previous = at - 1;
    while (previous > 0 && Utf8.isTrail(string[previous])) {
      previous--;
    }
    return previous;
  }
}
