package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.op.Attributes;

/**
 * The treatment of characters that cannot be read or written: they are replaced, left out, or fail
 * the op.
 */
record UnicodeErrors(int replacement, boolean ignore, boolean strict, boolean replaceControls) {
  static UnicodeErrors of(Attributes attributes) {
    String policy = attributes.string("errors");
    long replacement = attributes.integer("replacement_char");
    if (replacement < 0 || replacement > Character.MAX_CODE_POINT) {
      throw TributaryException.invalidArgument(
          "replacement_char out of unicode codepoint range: %d", replacement);
    }
    return new UnicodeErrors(
        (int) replacement,
        policy.equals("ignore"),
        policy.equals("strict"),
        attributes.has("replace_control_characters")
            && attributes.bool("replace_control_characters"));
  }

  boolean isReplaced(int point, boolean isValid) {
    return !isValid || replaceControls && point <= 0x1f;
  }

  TributaryException badString() {
    return TributaryException.invalidArgument("Invalid formatting on input string");
  }
}
