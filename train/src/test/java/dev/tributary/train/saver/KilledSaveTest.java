package dev.tributary.train.saver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.bundle.InterruptedSaves;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that is killed at any moment of a save leaves a checkpoint to resume from. */
@Tag("processes")
@Timeout(120)
class KilledSaveTest {
  private static final int KILLS = 2;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void restoreLatest_afterKills_findsAnIntactCheckpointAndNoRemains(boolean oneName)
      throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Ops tf = Ops.create();
    Variable w =
        VariableScope.of(tf).getVariable("w", KilledSaveMain.SHAPE, Initializers.constant(1));
    Saver saver = Saver.of(tf.graph());
    for (int kill = 0; kill < KILLS; kill++) {
      saveUntilKilled(oneName, 20 + random.nextInt(40));

      InterruptedSaves.removeAll(folder, "m");
      try (ModelRun run = ModelRun.of(tf)) {
        assertThat(saver.restoreLatest(run.session(), folder)).as("seed %d", seed).isPresent();
        assertThat(run.floats(w.value())[0]).isEqualTo(7);
      }
      assertThat(files()).as("seed %d", seed).noneMatch(name -> name.contains(".tempstate"));
    }
  }

  /** Lets a process save, and kills it when it has begun so many files more. */
  private void saveUntilKilled(boolean oneName, int files) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KilledSaveMain.class.getName(),
                folder.resolve("m").toString()));
    if (oneName) {
      command.add("same");
    }
    try (WatchService changes = folder.getFileSystem().newWatchService()) {
      folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try {
        for (int seen = 0; seen < files; ) {
          WatchKey key = changes.poll(30, TimeUnit.SECONDS);
          assertThat(key).as("a new file of a save").isNotNull();
          seen += key.pollEvents().size();
          key.reset();
        }
      } finally {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
