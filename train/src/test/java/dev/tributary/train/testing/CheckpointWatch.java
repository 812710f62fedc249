package dev.tributary.train.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.train.saver.Saver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Waits for checkpoints that other threads write. */
public final class CheckpointWatch {
  private static final int LIMIT_SECONDS = 30;

  private CheckpointWatch() {}

  /** Waits until this is the latest checkpoint of its folder. */
  public static void awaitLatest(Path checkpoint) {
    Path folder = checkpoint.getParent();
    try (WatchService changes = folder.getFileSystem().newWatchService()) {
      folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
      while (!Saver.latestCheckpoint(folder).equals(Optional.of(checkpoint))) {
        WatchKey key = changes.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(key).as("a new file beside %s", checkpoint).isNotNull();
        key.pollEvents();
        key.reset();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for " + checkpoint, e);
    }
  }
}
