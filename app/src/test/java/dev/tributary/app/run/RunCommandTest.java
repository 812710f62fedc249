package dev.tributary.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tributary.app.CommandOutcome;
import dev.tributary.app.Main;
import dev.tributary.testing.JavaProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Timeout(120)
class RunCommandTest {
  @TempDir Path logs;

  @BeforeEach
  void requireShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh");
  }

  @Test
  void run_allRoles_tellsEachItsTaskAndStopsServersAtTheEnd() throws Exception {
    CommandOutcome outcome =
        run(
            "case $TF_CONFIG in *'type\":\"ps'*) sleep 100;; *) echo said $TF_CONFIG;; esac",
            "--ps=1",
            "--workers=2",
            "--evaluator");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines())
        .anyMatch(line -> line.matches("ps 0 +stopped .*ps-0\\.log"))
        .anyMatch(line -> line.matches("evaluator 0 +ended with exit code 0 .*"))
        .anyMatch(line -> line.startsWith("worker 0    | said {"));
    JsonObject config = config("worker-0");
    assertThat(config.getAsJsonObject("task").toString())
        .isEqualTo("{\"type\":\"worker\",\"index\":0}");
    assertThat(config.getAsJsonObject("cluster").keySet()).containsExactly("ps", "chief", "worker");
    assertThat(config("evaluator-0").get("cluster")).isEqualTo(config.get("cluster"));
    assertThat(config("chief-0").getAsJsonObject("task").get("type").getAsString())
        .isEqualTo("chief");
  }

  @Test
  void run_withoutChief_hasWorkersOnly() throws Exception {
    run("echo said $TF_CONFIG", "--workers=2", "--no-chief");

    assertThat(config("worker-1").getAsJsonObject("cluster").keySet()).containsExactly("worker");
  }

  @Test
  void run_taskFails_stopsTheOthersAndEndsWithItsCode() {
    CommandOutcome outcome =
        run("case $TF_CONFIG in *'type\":\"worker'*) exit 7;; esac; sleep 100", "--workers=2");

    assertThat(outcome.exitCode()).isEqualTo(7);
    assertThat(outcome.out())
        .contains("tributary: worker 0 ended with exit code 7; stopping the other tasks");
    assertThat(outcome.out().lines()).anyMatch(line -> line.matches("chief 0 +ended by signal .*"));
  }

  @Test
  void run_taskThatDies_isRestarted() {
    Path mark = logs.resolve("mark");

    CommandOutcome outcome =
        run("test -e " + mark + " || { touch " + mark + "; kill -9 $$; }", "--restart=1");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .contains("chief 0 ended with exit code 137; it is restarted (1 of 1)")
        .contains("restarted 1 x");
  }

  @Test
  void run_commandThatDoesNotExist_saysSo() {
    CommandOutcome outcome = CommandOutcome.of("run", "--", "no-such-command-here");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("cannot start chief 0", "no-such-command-here");
  }

  @Test
  void run_noTasks_isRefused() {
    CommandOutcome outcome = run("true", "--workers=0");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("give --workers or --ps");
  }

  @Test
  void run_toldToEnd_leavesNoProcess() throws Exception {
    try (JavaProgram launcher =
        JavaProgram.start(
            Main.class, "run", "--workers=2", "--", "sh", "-c", "echo $$ here; sleep 100; true")) {
      launcher.awaitLine("here").awaitLine("here");
      List<Long> tasks = new ArrayList<>();
      for (String line : launcher.lines()) {
        if (line.endsWith(" here")) {
          tasks.add(Long.parseLong(line.replaceAll(".*\\| (\\d+) here", "$1")));
        }
      }
      assertThat(tasks).hasSize(2);

      launcher.handle().destroy(); // A TERM signal, which ends it as Ctrl-C does.

      for (long task : tasks) {
        Optional<ProcessHandle> process = ProcessHandle.of(task);
        if (process.isPresent()) {
          process.get().onExit().get(60, TimeUnit.SECONDS);
        }
      }
    }
  }

  @Test
  void run_severalFail_endsWithTheCodeOfTheFirst() {
    Path first = logs.resolve("first");
    // Worker 1 fails first, and all others because of that.
    String script =
        "case $TF_CONFIG in *'index\":1'*) touch "
            + first
            + "; exit 9;; esac;"
            + " while ! test -e "
            + first
            + "; do sleep 0.01; done; sleep 0.2; exit 4";

    CommandOutcome outcome = run(script, "--workers=3");

    assertThat(outcome.exitCode()).isEqualTo(9);
    assertThat(outcome.out().lines())
        .anyMatch(line -> line.matches("worker 1 +ended with exit code 9 \\(failed first\\) .*"));
  }

  @Test
  void run_taskKilled_saysThatMemoryMayBeShort() {
    CommandOutcome outcome = run("kill -9 $$");

    assertThat(outcome.exitCode()).isEqualTo(137);
    assertThat(outcome.out()).contains("ended by signal 9", "memory was short: raise it");
  }

  @Test
  void run_configurationThatIsRefused_isNotRestarted() {
    CommandOutcome outcome = run("exit 78", "--restart=5");

    assertThat(outcome.exitCode()).isEqualTo(78);
    assertThat(outcome.out()).doesNotContain("restarted");
  }

  @Test
  void run_onHosts_startsEachThereAndStopsServers() throws Exception {
    Path hosts = Files.writeString(logs.resolve("hosts"), "ann@localhost slots=2\nlocalhost2\n");
    Path ssh = fakeSsh();
    Path ready = logs.resolve("ready");

    CommandOutcome outcome =
        run(
            "case $TF_CONFIG in *'type\":\"ps'*) trap 'echo told to end; exit 0' TERM; touch "
                + ready
                + "; while :; do sleep 0.05; done;; *) while ! test -e "
                + ready
                + "; do sleep 0.01; done; echo said $TF_CONFIG \"it's\";; esac",
            "--ps=1",
            "--workers=2",
            "--hosts=" + hosts,
            "--port=4000",
            "--directory=" + logs,
            "--ssh=" + ssh + " -v");

    assertThat(outcome.exitCode()).as(outcome.out()).isZero();
    assertThat(Files.readAllLines(logs.resolve("logins")))
        .containsExactlyInAnyOrder("-v ann@localhost", "-v localhost2", "-v ann@localhost");
    assertThat(Files.readString(logs.resolve("chief-0.log")))
        .contains(
            "{\"ps\":[\"localhost:4000\"],\"chief\":[\"localhost2:4000\"],\"worker\":[\"localhost:4001\"]}",
            "it's");
    assertThat(outcome.out()).contains("ps 0        | told to end");
  }

  @Test
  void run_onHostsTaskFails_endsWithItsCode() throws Exception {
    Path hosts = Files.writeString(logs.resolve("hosts"), "localhost\n");

    CommandOutcome outcome =
        run("exit 5", "--hosts=" + hosts, "--directory=" + logs, "--ssh=" + fakeSsh());

    assertThat(outcome.exitCode()).isEqualTo(5);
  }

  /** A client that runs the command here, as ssh would there, and notes the words before it. */
  private Path fakeSsh() throws Exception {
    Path ssh = logs.resolve("fake-ssh");
    Files.writeString(
        ssh,
        """
        #!/bin/sh
        words=
        while test $# -gt 1; do words="$words${words:+ }$1"; shift; done
        echo "$words" >> %s/logins
        exec sh -c "$1"
        """
            .formatted(logs));
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    return ssh;
  }

  private CommandOutcome run(String script, String... options) {
    List<String> arguments = new ArrayList<>(List.of("run", "--logs=" + logs));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--", "sh", "-c", script));
    return CommandOutcome.of(arguments.toArray(new String[0]));
  }

  private JsonObject config(String task) throws Exception {
    String said =
        Files.readAllLines(logs.resolve(task + ".log")).stream()
            .filter(line -> line.startsWith("said "))
            .findFirst()
            .orElseThrow();
    return JsonParser.parseString(said.substring("said ".length())).getAsJsonObject();
  }
}
