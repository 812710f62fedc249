package dev.tributary.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.JavaProgram;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
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

  @Test
  void compiler_memberWithInternalType_isNotAccessible() throws Exception {
    Path module =
        Files.writeString(
            folder.resolve("module-info.java"), "module program { requires dev.tributary.core; }");
    Path program =
        Files.writeString(
            folder.resolve("Program.java"),
            """
            package program;
            class Program {
              float[] elements(dev.tributary.tensor.Tensor tensor) { return tensor.toFloats(); }
              long address(dev.tributary.tensor.Tensor tensor) { return tensor.storage().address(); }
            }
            """);
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                messages,
                messages,
                "--module-path",
                modulePath(),
                "-d",
                folder.resolve("classes").toString(),
                module.toString(),
                program.toString());

    assertThat(errors).isEqualTo(1);
    assertThat(messages.toString(StandardCharsets.UTF_8))
        .contains("Storage.address() in package dev.tributary.internal.memory is not accessible")
        .contains("1 error");
  }

  /** This module's class path without tests, which share packages with what they test. */
  private static String modulePath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(place -> !place.contains("test-classes") && !place.endsWith("-tests.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
