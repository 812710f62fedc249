package dev.tributary.session;

/**
 * Reads JSON by its grammar and fails at the first character that is not. Just enough to judge what
 * this library writes.
 */
final class JsonCheck {
  private final String text;
  private int at;

  private JsonCheck(String text) {
    this.text = text;
  }

  static void requireValid(String json) {
    JsonCheck check = new JsonCheck(json);
    check.value();
    check.space();
    if (check.at != json.length()) {
      throw check.wrong("the end");
    }
  }

  private void value() {
    space();
    char c = peek();
    if (c == '{') {
      list('}', true);
    } else if (c == '[') {
      list(']', false);
    } else if (c == '"') {
      string();
    } else {
      scalar();
    }
  }

  private void list(char end, boolean named) {
    at++;
    space();
    if (peek() == end) {
      at++;
      return;
    }
    while (true) {
      if (named) {
        space();
        string();
        space();
        expect(':');
      }
      value();
      space();
      if (peek() == end) {
        at++;
        return;
      }
      expect(',');
    }
  }

  private void string() {
    expect('"');
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong("no control character");
      }
      if (c == '\\') {
        char escaped = text.charAt(at++);
        if (escaped == 'u') {
          Integer.parseInt(text.substring(at, at + 4), 16);
          at += 4;
        } else if ("\"\\/bfnrt".indexOf(escaped) < 0) {
          throw wrong("an escape");
        }
      }
    }
    at++;
  }

  private void scalar() {
    int start = at;
    while (at < text.length() && "+-.0123456789eEtrufalsn".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (!text.substring(start, at)
        .matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null")) {
      throw wrong("a number or literal");
    }
  }

  private void space() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void expect(char c) {
    if (peek() != c) {
      throw wrong("'" + c + "'");
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at);
  }

  private AssertionError wrong(String wanted) {
    return new AssertionError(
        "not JSON: wanted "
            + wanted
            + " at "
            + at
            + ": "
            + text.substring(at, Math.min(text.length(), at + 40)));
  }
}
