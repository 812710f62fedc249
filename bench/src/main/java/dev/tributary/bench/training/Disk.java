package dev.tributary.bench.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The speed of the disk below a folder, as {@code dd} sees it: the bar for checkpoints.
 *
 * @param mebibytes how much is written and read
 */
record Disk(Path folder, int mebibytes) {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Writes a file of zeros and brings it to the disk; MB/s. The file stays. */
  double write() {
    return rate(
        () -> dd("if=/dev/zero", "of=" + file(), "bs=1M", "count=" + mebibytes, "conv=fsync"));
  }

  /** Reads that file from the disk; MB/s. */
  double read() {
    forget(file());
    return rate(() -> dd("if=" + file(), "of=/dev/null", "bs=1M"));
  }

  /** Makes the system's cache forget all files below the folder that are on the disk. */
  void forgetAll() {
    try (Stream<Path> files = Files.walk(folder)) {
      files.filter(Files::isRegularFile).forEach(this::forget);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rate at which something moves as many bytes; MB/s. */
  double rate(Runnable move) {
    long start = System.nanoTime();
    move.run();
    return (double) mebibytes * (1 << 20) / 1e6 / ((System.nanoTime() - start) / 1e9);
  }

  private Path file() {
    return folder.resolve("dd.bin");
  }

  private void forget(Path file) {
    dd("if=" + file, "of=/dev/null", "iflag=nocache", "count=0");
  }

  private static void dd(String... arguments) {
    List<String> command = new ArrayList<>(List.of("dd", "status=none"));
    command.addAll(List.of(arguments));
    try {
      Process dd = new ProcessBuilder(command).inheritIO().start();
      if (!dd.waitFor(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
        dd.destroyForcibly();
        throw new IllegalStateException(command + " takes longer than " + LIMIT);
      }
      if (dd.exitValue() != 0) {
        throw new IllegalStateException(command + " failed with exit code " + dd.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run dd", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
