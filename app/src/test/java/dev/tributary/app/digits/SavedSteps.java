package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;

/** Checkpoints that a running training writes. */
final class SavedSteps {
  private SavedSteps() {}

  /** Waits until the latest checkpoint is one of a step after the first. */
  static void awaitAny(Path logdir) throws Exception {
    try (WatchService changes = logdir.getFileSystem().newWatchService()) {
      logdir.register(
          changes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      while (!isAny(logdir)) {
        WatchKey key = changes.poll(90, TimeUnit.SECONDS);
        assertThat(key).as("a checkpoint in %s", logdir).isNotNull();
        key.pollEvents();
        key.reset();
      }
    }
  }

  /** The files of a checkpoint exist a moment before it is the latest. */
  private static boolean isAny(Path logdir) {
    return Saver.latestCheckpoint(logdir).filter(p -> !p.endsWith("model.ckpt-0")).isPresent();
  }
}
