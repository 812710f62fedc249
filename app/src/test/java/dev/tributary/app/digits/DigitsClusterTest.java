package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tributary.app.Main;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.security.JobToken;
import dev.tributary.testing.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final Pattern LOGS = Pattern.compile("logs of the tasks are in (\\S+) until");
  private static final int TASKS = 3;

  @TempDir Path logdir;

  @Test
  void digits_onePsTwoWorkers_areRecognised() throws Exception {
    try (JavaProgram digits =
        JavaProgram.start(Main.class, "digits", "--ps=1", "--workers=2", "--epochs=12")) {
      List<ProcessHandle> tasks = awaitTasks(digits);

      String said = String.join("\n", digits.awaitSuccess());

      assertAccuracy(said, 90);
      assertThat(said).contains("worker 0: ", "worker 1: ");
      // The chief says that it prepares the model, the other worker that it waits for it.
      assertThat(said)
          .contains("starting ps 0, worker 0, worker 1")
          .containsPattern("(preparing|waiting for) the model");
      assertThat(said).contains("(100 %), loss ").doesNotContain("\r");
      assertThat(said.indexOf("validation accuracy")).isLessThan(said.indexOf("worker 0: "));
      Matcher logs = LOGS.matcher(said);
      assertThat(logs.find()).as(said).isTrue();
      assertThat(Path.of(logs.group(1)).getParent()).doesNotExist();
      assertGone(tasks);
    }
  }

  @Test
  void digits_mutualTlsAndToken_train(@TempDir Path folder) throws Exception {
    ClusterSpec onThisMachine =
        ClusterSpec.of(
            Map.of("ps", List.of("localhost:0"), "worker", List.of("localhost:0", "localhost:0")));
    ClusterCertificates.make(folder, onThisMachine, Clock.systemUTC(), Duration.ofDays(1));
    Path token = folder.resolve("token");
    JobToken.random().write(token);
    try (JavaProgram digits =
        start(
            "--epochs", "1", "--mutual-tls", folder.toString(), "--token-file", token.toString())) {
      assertThat(String.join("\n", digits.awaitSuccess())).contains("test accuracy");
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no Ctrl-C to send from outside")
  void digits_interrupted_leaveNoProcess() throws Exception {
    assumeFalse(
        interruptsAreIgnored(), "SIGINT is ignored here, as in a background job of a shell");
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
  void digits_aTaskDiesTooOften_endWithItsName() throws Exception {
    try (JavaProgram digits = start("--epochs", "10000", "--restart", "0")) {
      List<ProcessHandle> tasks = awaitTasks(digits);

      tasks.get(0).destroyForcibly();

      assertThat(digits.awaitExitCode()).isEqualTo(1);
      assertThat(digits.lines())
          .anyMatch(line -> line.matches(".* ended with exit code .* the end of its log .*:"));
      assertGone(tasks);
    }
  }

  @Test
  void digits_tasksDie_areRestartedAndTrainingContinues() throws Exception {
    try (JavaProgram digits = start("--epochs", "100", "--save_model_secs", "1")) {
      List<ProcessHandle> tasks = awaitTasks(digits);
      // Without a checkpoint, a lost parameter server would take the training back to its start.
      SavedSteps.awaitAny(logdir);
      tasks.get(2).destroyForcibly();
      digits.awaitLine("worker 1 ended with exit code 137; it is restarted (1 of 3)");
      tasks.get(0).destroyForcibly();
      digits.awaitLine("ps 0 ended with exit code 137; it is restarted (1 of 3)");

      String said = String.join("\n", digits.awaitSuccess());

      assertThat(said).contains("continues at step ", "worker 0: ", "worker 1: ");
      assertAccuracy(said, 95);
      for (String task : List.of("ps-0", "worker-0", "worker-1")) {
        assertThat(logdir.resolve("logs").resolve(task + ".log")).isNotEmptyFile();
      }
    }
  }

  @Test
  void digits_lossThatIsNotANumber_endWithoutARestart() throws Exception {
    try (JavaProgram digits = start("--epochs", "1", "--rate", "1e30")) {
      assertThat(digits.awaitExitCode()).isEqualTo(1);
      assertThat(String.join("\n", digits.lines()))
          .contains("the loss is NaN at step ")
          .doesNotContain("it is restarted", "test accuracy");
    }
  }

  /** A process that starts with SIGINT ignored hands that down, and Java then leaves it so. */
  private static boolean interruptsAreIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .findFirst()
            .orElseThrow();
    return (Long.parseUnsignedLong(ignored.substring(7).strip(), 16) & 1 << 1) != 0;
  }

  private static void assertAccuracy(String said, double least) {
    Matcher accuracy = ACCURACY.matcher(said);
    assertThat(accuracy.find()).as(said).isTrue();
    assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThanOrEqualTo(least);
  }

  private JavaProgram start(String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("digits", "--ps", "1", "--workers", "2"));
    arguments.addAll(List.of("--logdir", logdir.toString()));
    arguments.addAll(List.of(more));
    return JavaProgram.start(Main.class, arguments.toArray(new String[0]));
  }

  /** The processes of the cluster, in the order of their starts, once they are all there. */
  private static List<ProcessHandle> awaitTasks(JavaProgram digits) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    List<ProcessHandle> tasks = List.of();
    while (tasks.size() < TASKS && System.nanoTime() < deadline) {
      tasks = digits.handle().children().sorted().toList();
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
