package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The kernels of StringLower and StringUpper: of ASCII's letters only, or of all in UTF-8. */
public final class LetterCase {
  private LetterCase() {}

  public static Kernel lower(KernelNode node) {
    return isUnicode(node)
        ? ElementStrings.map(s -> bytes(text(s).toLowerCase(Locale.ROOT)))
        : ElementStrings.map(s -> shifted(s, (byte) 'A', (byte) 'Z', 'a' - 'A'));
  }

  public static Kernel upper(KernelNode node) {
    return isUnicode(node)
        ? ElementStrings.map(s -> bytes(text(s).toUpperCase(Locale.ROOT)))
        : ElementStrings.map(s -> shifted(s, (byte) 'a', (byte) 'z', 'A' - 'a'));
  }

  private static boolean isUnicode(KernelNode node) {
    String encoding = node.attributes().string("encoding");
    if (!encoding.isEmpty() && !encoding.equals("utf-8")) {
      throw TributaryException.invalidArgument(
          "only utf-8 or '' (no encoding) is supported, received %s", encoding);
    }
    return !encoding.isEmpty();
  }

  private static byte[] shifted(byte[] string, byte first, byte last, int distance) {
    byte[] result = string.clone();
    for (int i = 0; i < result.length; i++) {
      if (result[i] >= first && result[i] <= last) {
        result[i] = (byte) (result[i] + distance);
      }
    }
    return result;
  }

  private static String text(byte[] string) {
    return new String(string, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
