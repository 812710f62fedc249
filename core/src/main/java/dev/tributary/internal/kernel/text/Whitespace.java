package dev.tributary.internal.kernel.text;

import java.util.Arrays;

/** The whitespace of ASCII, which C's {@code isspace} knows. */
public final class Whitespace {
  private Whitespace() {}

  static boolean is(byte character) {
    return character == ' ' || character >= '\t' && character <= '\r';
  }

  /** The string without whitespace at its ends. */
  public static byte[] strip(byte[] string) {
    int from = skip(string, 0);
    int to = string.length;
    while (to > from && is(string[to - 1])) {
      to--;
    }
    return from == 0 && to == string.length ? string : Arrays.copyOfRange(string, from, to);
  }

  /** The first place from {@code at} on that has no whitespace. */
  static int skip(byte[] string, int at) {
    int next = at;
    while (next < string.length && is(string[next])) {
      next++;
    }
    return next;
  }
}
