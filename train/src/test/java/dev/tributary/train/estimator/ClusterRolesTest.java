package dev.tributary.train.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.testing.JavaProgram;
import dev.tributary.train.saver.Saver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One program plays all roles of a cluster; all end with the training, whoever was killed. */
@Tag("processes")
@Tag("slow")
@Timeout(240)
class ClusterRolesTest {
  private static final String CHIEF = "chief 0";
  private static final String PS = "ps 0";
  private static final String WORKER = "worker 0";
  private static final String EVALUATOR = "evaluator 0";

  @TempDir Path folder;

  private final List<String> addresses = FreePorts.addresses(3);
  private final Map<String, JavaProgram> tasks = new LinkedHashMap<>();

  @AfterEach
  void endAll() throws Exception {
    for (JavaProgram task : tasks.values()) {
      task.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {CHIEF, PS, WORKER + "," + EVALUATOR})
  void roles_killedAndStartedAgain_allEndTogether(String victims) throws Exception {
    for (String role : List.of(PS, CHIEF, WORKER, EVALUATOR)) {
      start(role, 3000);
    }
    awaitStep(200);

    for (String victim : victims.split(",")) {
      tasks.get(victim).close();
      start(victim, 3000);
    }

    requireEnd(3000);
    assertThat(EvalEvents.of(folder.resolve("eval"), "loss")).isNotEmpty();
  }

  @Test
  void roles_startedAgainAfterTheEnd_endAtOnce() throws Exception {
    for (String role : List.of(PS, CHIEF, WORKER)) {
      start(role, 200);
    }
    for (JavaProgram task : tasks.values()) {
      task.awaitSuccess();
    }

    for (String role : List.of(PS, CHIEF, WORKER)) {
      start(role, 200);
    }
    for (JavaProgram task : tasks.values()) {
      task.awaitSuccess();
    }
  }

  private void start(String role, long lastStep) throws Exception {
    String[] parts = role.split(" ");
    String config =
        String.format(
            "{\"cluster\": {\"chief\": [\"%s\"], \"ps\": [\"%s\"], \"worker\": [\"%s\"]},"
                + " \"task\": {\"type\": \"%s\", \"index\": %s}}",
            addresses.get(0), addresses.get(1), addresses.get(2), parts[0], parts[1]);
    List<String> command =
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            EstimatorTaskMain.class.getName(),
            folder.toString(),
            Long.toString(lastStep));
    tasks.put(
        role, JavaProgram.start(command, environment -> environment.put("TF_CONFIG", config)));
  }

  private void requireEnd(long lastStep) throws Exception {
    List<String> lines = new ArrayList<>();
    for (JavaProgram task : tasks.values()) {
      lines.addAll(task.awaitSuccess());
    }
    assertThat(lines).anyMatch(line -> line.equals("evaluator 0 ended, exported 1"));
    assertThat(latestStep()).isGreaterThanOrEqualTo(lastStep);
  }

  private long latestStep() {
    return Saver.latestCheckpoint(folder)
        .map(TrainingRun::globalStep)
        .orElse(OptionalLong.empty())
        .orElse(0);
  }

  /** Checkpoints appear in a folder that the chief makes, so there is nothing to watch at first. */
  private void awaitStep(long step) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.exists(folder.resolve("checkpoint")) || latestStep() < step) {
      assertThat(System.nanoTime()).as("a checkpoint of step %d", step).isLessThan(deadline);
      Thread.onSpinWait();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
