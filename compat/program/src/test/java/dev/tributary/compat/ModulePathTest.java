package dev.tributary.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.JavaProgram;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process of its own, as a module among modules. */
@Tag("processes")
@Timeout(300)
class ModulePathTest {
  private static final String MAIN = "dev.tributary.compat/" + TwoServers.class.getName();

  @TempDir Path folder;

  @Test
  void program_onTheModulePath_computesLocallyAndOnACluster() throws Exception {
    List<String> command =
        List.of("--module-path", modulePath(), "-m", MAIN, folder.toAbsolutePath().toString());
    try (JavaProgram program = JavaProgram.start(command)) {
      assertThat(program.awaitSuccess())
          .contains("local: 64.0", "cluster: 2.0", "cluster with TLS: 2.0")
          .anyMatch(line -> line.contains("kernels run on oneDNN"))
          .noneMatch(line -> line.contains("number of threads cannot be set"));
    }
  }

  /** This module's class path without tests, which share packages with what they test. */
  private static String modulePath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(place -> !place.contains("test-classes") && !place.endsWith("-tests.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
