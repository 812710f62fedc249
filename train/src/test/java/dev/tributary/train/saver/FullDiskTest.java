package dev.tributary.train.saver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full, which a limit on the size of files stands for. */
@Tag("processes")
@Timeout(90)
@EnabledOnOs(value = OS.LINUX, disabledReason = "bash sets the limit")
class FullDiskTest {
  private static final int MOST_KIBIBYTES = 2048;

  @TempDir Path folder;

  @Test
  void save_fullDisk_namesTheFileAndKeepsTheLastCheckpoint() throws Exception {
    String said = saveOnFullDisk();

    assertThat(said).contains("model.ckpt-2").doesNotContain("saved");
    assertThat(Saver.latestCheckpoint(folder)).contains(folder.resolve("model.ckpt-1"));
    assertThat(files()).contains("model.ckpt-1.index").doesNotContain("model.ckpt-2.index");
  }

  private String saveOnFullDisk() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f " + MOST_KIBIBYTES + "; exec \"$@\"",
                "bash",
                java,
                "-cp",
                System.getProperty("java.class.path"),
                FullDiskMain.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
