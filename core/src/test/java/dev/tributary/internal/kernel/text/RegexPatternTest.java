package dev.tributary.internal.kernel.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RegexPatternTest {
  @Test
  void replace_bytesThatAreNoUtf8_leavesThemAsTheyAre() {
    byte[] string = {(byte) 0xff, 'a', (byte) 0xc3, 'a', (byte) 0xed, (byte) 0xa0, (byte) 0x80};
    byte[] replaced = pattern("a").replace(string, RegexRewrite.of(utf8("\u00e4")), true);

    assertThat(replaced)
        .isEqualTo(
            new byte[] {
              (byte) 0xff,
              (byte) 0xc3,
              (byte) 0xa4,
              (byte) 0xc3,
              (byte) 0xc3,
              (byte) 0xa4,
              (byte) 0xed,
              (byte) 0xa0,
              (byte) 0x80
            });
  }

  /** A backtracking matcher takes 2^40 steps for this. */
  @Test
  @Timeout(30)
  void matches_patternThatBacktrackersDieOf_isLinear() {
    assertThat(pattern("(a*)*b").matches(utf8("a".repeat(10_000)))).isFalse();
    assertThat(pattern("(a?){40}a{40}").matches(utf8("a".repeat(40)))).isTrue();
  }

  @Test
  void of_patternThatTakesTooMuchMemory_isRefused() {
    assertRefused("x{1000}".repeat(10_000), "too large");
    assertRefused("(".repeat(100_000) + ")".repeat(100_000), "");
  }

  private static void assertRefused(String pattern, String part) {
    assertThatThrownBy(() -> pattern(pattern))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(part)
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  private static RegexPattern pattern(String text) {
    return RegexPattern.of(utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
