package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTokenTest {
  @Test
  void matches_onlyTheSecret() {
    JobToken token = JobToken.of("0123456789abcdef");

    assertThat(token.matches("0123456789abcdef")).isTrue();
    assertThat(token.matches("0123456789abcdeg")).isFalse();
    assertThat(token.matches("0123456789abcde")).isFalse();
    assertThat(token.matches("")).isFalse();
  }

  @Test
  void random_twice_differs() {
    assertThat(JobToken.random()).isNotEqualTo(JobToken.random());
  }

  @Test
  void toString_anyToken_doesNotTellIt() {
    assertThat(JobToken.of("0123456789abcdef").toString()).doesNotContain("0123456789abcdef");
    assertThat(ChannelSecurity.none().withToken(JobToken.of("0123456789abcdef")).toString())
        .doesNotContain("0123456789abcdef");
  }

  @Test
  void of_tooShortOrUnprintable_isRefusedWithoutTellingIt() {
    for (String wrong : new String[] {"", "short", "0123456789 abcdef", "0123456789abcdef\u00e4"}) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> JobToken.of(wrong))
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
          .withMessageContaining("got " + wrong.length() + " characters");
    }
  }

  @Test
  void read_fileWithEndOfLine_isStripped(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "0123456789abcdef\r\n");

    assertThat(JobToken.read(file)).isEqualTo(JobToken.of("0123456789abcdef"));
  }

  @Test
  void read_noFileOrNoToken_namesTheFile(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("missing");
    Path empty = Files.createFile(folder.resolve("empty"));

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> JobToken.read(missing))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .withMessageContaining(missing.toString());
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> JobToken.read(empty))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining(empty.toString());
  }
}
