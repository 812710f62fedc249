package dev.tributary.internal.kernel.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.tributary.error.TributaryException;

/**
 * A compiled regular expression of RE2's syntax. It matches in time linear in the text. Immutable.
 */
final class RegexPattern {
  private final Pattern pattern;

  private RegexPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  static RegexPattern of(byte[] bytes) {
    String text = RegexText.decode(bytes);
    requireUtf8(bytes, text);
    RegexSize.problem(text)
        .ifPresent(
            problem -> {
              throw invalid(text, problem);
            });
    try {
      return new RegexPattern(Pattern.compile(text));
    } catch (PatternSyntaxException e) {
      throw invalid(text, e.getMessage());
    } catch (StackOverflowError e) {
      throw invalid(text, "expression nests too deeply");
    }
  }

  private static void requireUtf8(byte[] bytes, String text) {
    for (int i = 0; i < bytes.length; ) {
      int length = Utf8.length(bytes, i);
      if (length == 0) {
        throw invalid(text, "invalid UTF-8");
      }
      i += length;
    }
  }

  private static TributaryException invalid(String pattern, String error) {
    return TributaryException.invalidArgument("Invalid pattern: %s, error: %s", pattern, error);
  }

  boolean matches(byte[] string) {
    return pattern.matches(RegexText.decode(string));
  }

  /** The string with its first match, or all of them, rewritten. */
  byte[] replace(byte[] string, RegexRewrite rewrite, boolean all) {
    if (rewrite.groups() > pattern.groupCount()) {
      return string;
    }
    String text = RegexText.decode(string);
    Matcher matcher = pattern.matcher(text);
    StringBuilder result = new StringBuilder(text.length());
    int at = 0;
    int lastEnd = -1;
    while (at <= text.length() && matcher.find(at)) {
      result.append(text, at, matcher.start());
      if (matcher.start() == lastEnd && matcher.end() == lastEnd) {
        // No empty match right behind another one: it moves on by a character.
        int next = at == text.length() ? at + 1 : text.offsetByCodePoints(at, 1);
        result.append(text, at, Math.min(next, text.length()));
        at = next;
        continue;
      }
      boolean whole = rewrite.append(matcher, result);
      at = matcher.end();
      lastEnd = at;
      if (!all) {
        if (!whole) {
          return string;
        }
        break;
      }
    }
    if (lastEnd < 0) {
      return string;
    }
    result.append(text, Math.min(at, text.length()), text.length());
    return RegexText.encode(result);
  }
}
