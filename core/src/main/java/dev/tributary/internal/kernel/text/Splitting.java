package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The kernels of StringSplit and StringSplitV2: the parts of each string of a vector, as a sparse
 * matrix with a row for each string.
 */
public final class Splitting {
  /** Adds the parts of a string to a list. */
  private interface Rule {
    void split(byte[] string, byte[] separator, List<byte[]> parts);
  }

  private Splitting() {}

  /**
   * Each byte of the delimiter ends a part; without one, each byte is a part. An empty string has
   * no parts.
   */
  public static Kernel atAnyByte(KernelNode node) {
    boolean skipEmpty = node.attributes().bool("skip_empty");
    return context ->
        run(context, "delimiter", (s, delimiter, parts) -> bytes(s, delimiter, skipEmpty, parts));
  }

  /** The whole separator ends a part, as in Python's {@code str.split}. */
  public static Kernel atSeparator(KernelNode node) {
    long most = node.attributes().integer("maxsplit");
    return context ->
        run(
            context,
            "sep",
            (s, separator, parts) -> {
              if (most == 0) {
                parts.add(s);
              } else if (separator.length == 0) {
                words(s, most, parts);
              } else {
                pieces(s, separator, most, parts);
              }
            });
  }

  private static void run(KernelContext context, String separatorName, Rule rule) {
    Tensor input = context.input(0);
    if (input.rank() != 1) {
      throw TributaryException.invalidArgument(
          "input must be a vector, got shape: %s", input.shape());
    }
    IndexTensors.requireScalar(context.input(1), separatorName);
    byte[] separator = (byte[]) context.input(1).objects()[0];
    Object[] strings = input.objects();
    List<byte[]> parts = new ArrayList<>(4 * strings.length);
    int[] ends = new int[strings.length];
    int widest = 0;
    for (int i = 0; i < strings.length; i++) {
      int before = parts.size();
      rule.split((byte[]) strings[i], separator, parts);
      ends[i] = parts.size();
      widest = Math.max(widest, ends[i] - before);
    }
    writeIndices(context.allocateOutput(0, Shape.of(parts.size(), 2)), ends);
    Object[] values = context.allocateOutput(1, Shape.of(parts.size())).objects();
    parts.toArray(values);
    IndexTensors.setVector(context, 2, strings.length, widest);
  }

  private static void writeIndices(Tensor indices, int[] ends) {
    long at = indices.storage().address();
    int part = 0;
    for (int row = 0; row < ends.length; row++) {
      for (int column = 0; part < ends[row]; part++, column++) {
        Memory.putLong(at, row);
        Memory.putLong(at + 8, column);
        at += 16;
      }
    }
  }

  private static void bytes(byte[] s, byte[] delimiter, boolean skipEmpty, List<byte[]> parts) {
    if (delimiter.length == 0) {
      for (byte single : s) {
        parts.add(new byte[] {single});
      }
      return;
    }
    int start = 0;
    for (int i = 0; i <= s.length && s.length > 0; i++) {
      if (i == s.length || contains(delimiter, s[i])) {
        if (i > start || !skipEmpty) {
          parts.add(Arrays.copyOfRange(s, start, i));
        }
        start = i + 1;
      }
    }
  }

  private static boolean contains(byte[] delimiter, byte wanted) {
    for (byte one : delimiter) {
      if (one == wanted) {
        return true;
      }
    }
    return false;
  }

  private static void words(byte[] s, long most, List<byte[]> parts) {
    int start = Whitespace.skip(s, 0);
    for (long found = 1; start < s.length; found++) {
      int end = start;
      while (end < s.length && !Whitespace.is(s[end])) {
        end++;
      }
      parts.add(Arrays.copyOfRange(s, start, end));
      start = Whitespace.skip(s, end);
      if (found == most) {
        parts.add(Arrays.copyOfRange(s, start, s.length));
        return;
      }
    }
  }

  private static void pieces(byte[] s, byte[] separator, long most, List<byte[]> parts) {
    int start = 0;
    int at = 0;
    for (long found = 0; found != most && at + separator.length <= s.length; ) {
      if (Arrays.equals(s, at, at + separator.length, separator, 0, separator.length)) {
        parts.add(Arrays.copyOfRange(s, start, at));
        at += separator.length;
        start = at;
        found++;
      } else {
        at++;
      }
    }
    parts.add(Arrays.copyOfRange(s, start, s.length));
  }
}
