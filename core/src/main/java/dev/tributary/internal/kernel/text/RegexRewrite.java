package dev.tributary.internal.kernel.text;

import com.google.re2j.Matcher;

/**
 * The replacement of matches: text in which {@code \1} stands for the first group, {@code \0} for
 * the match, and {@code \\} for a backslash. RE2 drops what is behind any other escape.
 */
final class RegexRewrite {
  private final String rewrite;
  private final int groups;

  private RegexRewrite(String rewrite) {
    this.rewrite = rewrite;
    this.groups = highestGroup(rewrite);
  }

  static RegexRewrite of(byte[] rewrite) {
    return new RegexRewrite(RegexText.decode(rewrite));
  }

  private static int highestGroup(String rewrite) {
    int highest = 0;
    for (int i = 0; i + 1 < rewrite.length(); i++) {
      if (rewrite.charAt(i) == '\\') {
        i++;
        highest = Math.max(highest, group(rewrite.charAt(i)));
      }
    }
    return highest;
  }

  /** The group that a character names, or -1. */
  private static int group(char character) {
    return character >= '0' && character <= '9' ? character - '0' : -1;
  }

  /** The number of groups that a pattern must have. */
  int groups() {
    return groups;
  }

  /** Adds what a match is rewritten to. Returns whether that was all: no escape was wrong. */
  boolean append(Matcher match, StringBuilder to) {
    for (int i = 0; i < rewrite.length(); i++) {
      char character = rewrite.charAt(i);
      if (character != '\\') {
        to.append(character);
        continue;
      }
      i++;
      char escaped = i < rewrite.length() ? rewrite.charAt(i) : 0;
      int group = group(escaped);
      if (group >= 0) {
        String text = match.group(group);
        to.append(text == null ? "" : text);
      } else if (escaped == '\\') {
        to.append('\\');
      } else {
        return false;
      }
    }
    return true;
  }
}
