package dev.tributary.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    assertThat(JobToken.read(file)).isEqualTo(JobToken.of("0123456789abcdef"));
  }

  @Test
  void read_noFileOrNoToken_namesTheFile(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("missing");
    Path empty =
        Files.createFile(
            folder.resolve("empty"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> JobToken.read(missing))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .withMessageContaining(missing.toString());
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> JobToken.read(empty))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining(empty.toString());
  }

  @Test
  void read_fileThatEverybodyMayRead_isRefusedWithTheCure(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "0123456789abcdef");
    for (String open : new String[] {"rw-r--r--", "rw-----w-"}) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));

      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> JobToken.read(file))
          .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION)
          .withMessageContaining(open)
          .withMessageContaining("chmod 600 " + file)
          .withMessageNotContaining("0123456789abcdef");
    }
  }

  @Test
  void write_newFile_isReadAgainAndNotReplaced(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("token");
    JobToken token = JobToken.random();

    token.write(file);

    assertThat(JobToken.read(file)).isEqualTo(token);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> JobToken.random().write(file))
        .matches(e -> e.code() == ErrorCode.ALREADY_EXISTS);
  }
}
