package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.Main;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.testing.JavaProgram;
import dev.tributary.train.saver.Saver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks of a training that are killed and started again: it goes on without a person. */
@Tag("processes")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DigitsRecoveryTest {
  private static final Pattern ACCURACY = Pattern.compile("test accuracy ([0-9.]+) %");
  private static final Pattern RESTORED = Pattern.compile("restored .*model\\.ckpt-([0-9]+)");
  private static final Pattern KEPT = Pattern.compile("still hold the model at step ([0-9]+)");

  @TempDir Path folder;

  @ParameterizedTest(name = "{0} killed, issync {1}")
  @CsvSource({"ps 0, 1", "worker 0, 0"})
  void training_taskKilledAndStartedAgain_reachesItsAccuracy(String killed, String issync)
      throws Exception {
    Path logdir = Files.createDirectory(folder.resolve("log"));
    List<String> addresses = FreePorts.addresses(3);
    Map<String, JavaProgram> tasks = new HashMap<>();
    try {
      for (String task : List.of("ps 0", "worker 0", "worker 1")) {
        tasks.put(task, start(task, "--issync=" + issync, addresses, logdir));
      }
      awaitMoment(logdir, new Random(killed.hashCode()).nextInt(8));
      long saved = lastStep(logdir);
      JavaProgram old = tasks.get(killed);
      old.handle().destroyForcibly();
      old.awaitExitCode();
      tasks.put(killed, start(killed, "--issync=" + issync, addresses, logdir));

      String said = String.join("\n", tasks.get("worker 0").awaitSuccess());

      Matcher accuracy = ACCURACY.matcher(said);
      assertThat(accuracy.find()).as(said).isTrue();
      assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThanOrEqualTo(95);
      // Only a parameter server that is lost takes the model with it.
      Matcher resumed = (killed.startsWith("ps") ? RESTORED : KEPT).matcher(said);
      assertThat(resumed.find()).as(said).isTrue();
      assertThat(Long.parseLong(resumed.group(1))).isPositive().isGreaterThanOrEqualTo(saved);
    } finally {
      for (JavaProgram task : tasks.values()) {
        task.close();
      }
    }
  }

  @Test
  void training_synchronousWorkerKilledForGood_goesOnWithoutIt() throws Exception {
    Path logdir = Files.createDirectory(folder.resolve("log"));
    List<String> addresses = FreePorts.addresses(3);
    String mode = "--consistency=sync";
    try (JavaProgram server = start("ps 0", mode, addresses, logdir);
        JavaProgram chief = start("worker 0", mode, addresses, logdir);
        JavaProgram worker = start("worker 1", mode, addresses, logdir)) {
      SavedSteps.awaitAny(logdir);
      worker.handle().destroyForcibly();

      String said = String.join("\n", chief.awaitSuccess());

      assertThat(said).contains("worker 1 has not been heard from");
      Matcher accuracy = ACCURACY.matcher(said);
      assertThat(accuracy.find()).as(said).isTrue();
      assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThanOrEqualTo(95);
      assertThat(server.handle().isAlive()).isTrue();
    }
  }

  private static JavaProgram start(String task, String mode, List<String> addresses, Path logdir)
      throws Exception {
    String[] jobAndTask = task.split(" ");
    return JavaProgram.start(
        Main.class,
        "digits",
        "--ps_hosts=" + addresses.get(0),
        "--worker_hosts=" + addresses.get(1) + "," + addresses.get(2),
        "--job_name=" + jobAndTask[0],
        "--task_index=" + jobAndTask[1],
        mode,
        "--logdir=" + logdir,
        "--save_model_secs=1",
        "--threads=1",
        "--epochs=" + epochs(mode));
  }

  /** Where a task comes back, enough for it to take part again. */
  private static int epochs(String mode) {
    return switch (mode) {
      case "--issync=1" -> 40;
      case "--issync=0" -> 30;
      default -> 15;
    };
  }

  /** Some changes of the folder after its first checkpoint, so that any part of a save is met. */
  private static void awaitMoment(Path logdir, int changes) throws Exception {
    SavedSteps.awaitAny(logdir);
    try (WatchService watch = logdir.getFileSystem().newWatchService()) {
      logdir.register(
          watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      for (int seen = 0; seen < changes; ) {
        WatchKey key = watch.poll(5, TimeUnit.SECONDS);
        if (key == null) {
          return; // The training is over, which is a moment, too.
        }
        seen += key.pollEvents().size();
        key.reset();
      }
    }
  }

  private static long lastStep(Path logdir) {
    String last = Saver.latestCheckpoint(logdir).orElseThrow().toString();
    return Long.parseLong(last.substring(last.lastIndexOf('-') + 1));
  }
}
