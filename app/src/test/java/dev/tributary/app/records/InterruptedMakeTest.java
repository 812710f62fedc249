package dev.tributary.app.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.Main;
import dev.tributary.testing.JavaProgram;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code records make} that is ended while it writes. */
@Tag("processes")
@Timeout(180)
class InterruptedMakeTest {
  private static final int ROWS = 2_000_000;

  @TempDir private Path folder;

  @Test
  void make_interrupted_leavesNoFile() throws Exception {
    endWhileWriting("-INT");

    assertThat(files()).isEmpty();
  }

  /**
   * The rest that a killed process leaves is no record file; the next run removes it when it is
   * old.
   */
  @Test
  void make_killed_leavesNoFileUnderAFinalName() throws Exception {
    endWhileWriting("-KILL");

    assertThat(files()).isNotEmpty().allMatch(name -> name.contains(".tempstate-"));
  }

  private void endWhileWriting(String signal) throws Exception {
    Path out = Files.createDirectory(folder.resolve("out"));
    Path csv = folder.resolve("table.csv");
    try (BufferedWriter writer = Files.newBufferedWriter(csv)) {
      for (int i = 0; i < ROWS; i++) {
        writer.write(i + "\n");
      }
    }
    try (WatchService changes = folder.getFileSystem().newWatchService()) {
      out.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
      try (JavaProgram program =
          JavaProgram.start(
              Main.class,
              "records",
              "make",
              "--no-header",
              "--shards",
              "2",
              csv.toString(),
              out.resolve("train").toString())) {
        WatchKey begun = changes.poll(90, TimeUnit.SECONDS);
        assertThat(begun).as("a file that is begun").isNotNull();
        String pid = Long.toString(program.handle().pid());
        new ProcessBuilder(List.of("kill", signal, pid)).start().waitFor(10, TimeUnit.SECONDS);
        assertThat(program.awaitExitCode()).isNotZero();
      }
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("out"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
