package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.Main;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.session.JobToken;
import dev.tributary.testing.JavaProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Digits on a cluster of processes, which must all be gone afterwards. */
@Tag("processes")
@Timeout(300)
class DigitsClusterTest {
  private static final Pattern ACCURACY = Pattern.compile("test accuracy ([0-9.]+) %");
  private static final int TASKS = 3;

  @Test
  void digits_onePsTwoWorkers_areRecognised() throws Exception {
    try (JavaProgram digits = start("--epochs", "12")) {
      List<ProcessHandle> tasks = awaitTasks(digits);

      String said = String.join("\n", digits.awaitSuccess());

      Matcher accuracy = ACCURACY.matcher(said);
      assertThat(accuracy.find()).as(said).isTrue();
      assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThanOrEqualTo(90);
      assertThat(said).contains("worker 0: ", "worker 1: ");
      assertGone(tasks);
    }
  }

  @Test
  void digits_mutualTlsAndToken_train(@TempDir Path folder) throws Exception {
    ClusterSpec onThisMachine =
        ClusterSpec.of(
            Map.of("ps", List.of("localhost:0"), "worker", List.of("localhost:0", "localhost:0")));
    ClusterCertificates.make(folder, onThisMachine, Clock.systemUTC(), Duration.ofDays(1));
    Path token = Files.writeString(folder.resolve("token"), JobToken.random().secret());
    try (JavaProgram digits =
        start(
            "--epochs", "1", "--mutual-tls", folder.toString(), "--token-file", token.toString())) {
      assertThat(String.join("\n", digits.awaitSuccess())).contains("test accuracy");
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no Ctrl-C to send from outside")
  void digits_interrupted_leaveNoProcess() throws Exception {
    try (JavaProgram digits = start("--epochs", "10000")) {
      List<ProcessHandle> tasks = awaitTasks(digits);

      new ProcessBuilder("kill", "-INT", Long.toString(digits.handle().pid())).start().waitFor();

      assertThat(digits.awaitExitCode()).isEqualTo(128 + 2);
      assertGone(tasks);
    }
  }

  @Test
  void digits_killed_leaveNoProcess() throws Exception {
    try (JavaProgram digits = start("--epochs", "10000")) {
      List<ProcessHandle> tasks = awaitTasks(digits);

      digits.handle().destroyForcibly();

      assertGone(tasks);
    }
  }

  @Test
  void digits_aTaskDies_endWithItsName() throws Exception {
    try (JavaProgram digits = start("--epochs", "10000")) {
      List<ProcessHandle> tasks = awaitTasks(digits);

      tasks.get(0).destroyForcibly();

      assertThat(digits.awaitExitCode()).isEqualTo(1);
      assertThat(digits.lines()).anyMatch(line -> line.contains("ended with exit code"));
      assertGone(tasks);
    }
  }

  private static JavaProgram start(String... more) throws Exception {
    String[] arguments = new String[5 + more.length];
    System.arraycopy(new String[] {"digits", "--ps", "1", "--workers", "2"}, 0, arguments, 0, 5);
    System.arraycopy(more, 0, arguments, 5, more.length);
    return JavaProgram.start(Main.class, arguments);
  }

  /** The processes of the cluster, once they are all there. */
  private static List<ProcessHandle> awaitTasks(JavaProgram digits) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    List<ProcessHandle> tasks = List.of();
    while (tasks.size() < TASKS && System.nanoTime() < deadline) {
      tasks = digits.handle().children().toList();
      Thread.onSpinWait();
    }
    assertThat(tasks).as("%s", digits.lines()).hasSize(TASKS);
    return tasks;
  }

  private static void assertGone(List<ProcessHandle> processes) throws Exception {
    CompletableFuture.allOf(
            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
        .get(60, TimeUnit.SECONDS);
    assertThat(processes).noneMatch(ProcessHandle::isAlive);
  }
}
