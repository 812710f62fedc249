package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CacheCommandTest {
  @Test
  void cache_runsToItsEndAndLeavesNoFile() throws Exception {
    Set<Path> before = folders();

    CommandOutcome outcome = CommandOutcome.of("cache");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("did what a cluster does");
    assertThat(folders()).isEqualTo(before);
  }

  private static Set<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("tributary-cache"))
          .collect(Collectors.toSet());
    }
  }
}
