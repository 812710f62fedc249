package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Timeout(60)
class LogdirLockTest {
  @TempDir private Path folder;

  @Test
  void take_refusedInTheSameProcess_stillKeepsOtherProcessesOut() throws Exception {
    try (LogdirLock lock = LogdirLock.take(folder)) {
      assertThatThrownBy(() -> LogdirLock.take(folder)).isInstanceOf(TributaryException.class);

      assertThat(takenElsewhere()).isEqualTo("ALREADY_EXISTS");
    }
    assertThat(takenElsewhere()).isEqualTo("taken");
    LogdirLock.take(folder).close();
  }

  private String takenElsewhere() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LogdirLockMain.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }
}
