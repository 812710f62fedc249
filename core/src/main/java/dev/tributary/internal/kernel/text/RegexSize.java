package dev.tributary.internal.kernel.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The size of a regular expression after its repetitions are written out, roughly, so that one that
 * takes too much memory is refused before it is compiled. Used by one thread.
 */
final class RegexSize {
  private static final long SIZE_LIMIT = 1 << 20;

  /** The limit of RE2 for repetitions, and for those within others multiplied. */
  private static final long REPETITION_LIMIT = 1000;

  /**
   * The contents of a group so far.
   *
   * @param repetitions the most repetitions of a part of it
   */
  private record Group(long size, long repetitions) {
    Group plus(Group part) {
      return new Group(size + part.size, Math.max(repetitions, part.repetitions));
    }

    Group times(long count) {
      return new Group(size * count, repetitions * count);
    }
  }

  private static final Group NOTHING = new Group(0, 1);
  private static final Group ONE = new Group(1, 1);

  private final String pattern;
  private final Deque<Group> outer = new ArrayDeque<>();
  private Group group = NOTHING;
  private Group last = NOTHING;
  private int at;

  private RegexSize(String pattern) {
    this.pattern = pattern;
  }

  /** Returns the fault in the size of a pattern, if any. */
  static Optional<String> problem(String pattern) {
    RegexSize size = new RegexSize(pattern);
    while (size.at < pattern.length()) {
      size.step();
      Group all = size.group.plus(size.last);
      if (all.repetitions() > REPETITION_LIMIT) {
        return Optional.of("invalid repetition size");
      }
      if (all.size() > SIZE_LIMIT) {
        return Optional.of("pattern too large - compile failed");
      }
    }
    return Optional.empty();
  }

  private void step() {
    char character = pattern.charAt(at++);
    switch (character) {
      case '(' -> {
        outer.push(group.plus(last));
        group = NOTHING;
        last = NOTHING;
      }
      case ')' -> {
        Group inner = group.plus(last).plus(ONE);
        group = outer.isEmpty() ? NOTHING : outer.pop();
        last = inner;
      }
      case '{' -> repeat();
      case '[' -> {
        skipClass();
        add();
      }
      case '\\' -> escape();
      default -> add();
    }
  }

  private void add() {
    group = group.plus(last);
    last = ONE;
  }

  /** Takes {@code {2}}, {@code {2,}} or {@code {2,5}}; other braces are characters. */
  private void repeat() {
    int end = pattern.indexOf('}', at);
    String bounds = end < 0 ? "" : pattern.substring(at, Math.min(end, at + 12));
    if (!bounds.matches("\\d{1,5}(,\\d{0,5})?")) {
      add();
      return;
    }
    long most = 0;
    for (String bound : bounds.split(",")) {
      most = Math.max(most, Long.parseLong(bound));
    }
    last = last.times(Math.max(1, most));
    at = end + 1;
  }

  private void escape() {
    char escaped = at < pattern.length() ? pattern.charAt(at++) : 0;
    boolean braces = at < pattern.length() && pattern.charAt(at) == '{';
    if (escaped == 'Q') {
      int end = pattern.indexOf("\\E", at);
      int length = (end < 0 ? pattern.length() : end) - at;
      group = group.plus(last).plus(new Group(length, 1));
      last = NOTHING;
      at = end < 0 ? pattern.length() : end + 2;
    } else {
      if (braces && (escaped == 'p' || escaped == 'P' || escaped == 'x')) {
        at = Math.max(at, pattern.indexOf('}', at)) + 1;
      }
      add();
    }
  }

  /** Goes behind the bracket that ends a class of characters. */
  private void skipClass() {
    if (pattern.startsWith("^", at)) {
      at++;
    }
    for (int i = at; i < pattern.length(); i++) {
      char character = pattern.charAt(i);
      if (character == '\\') {
        i++;
      } else if (pattern.startsWith("[:", i)) {
        i = Math.max(i, pattern.indexOf(":]", i) + 1);
      } else if (character == ']' && i > at) {
        at = i + 1;
        return;
      }
    }
    at = pattern.length();
  }
}
