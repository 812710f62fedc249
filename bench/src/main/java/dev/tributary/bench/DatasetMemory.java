package dev.tributary.bench;

import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.record.RecordWriter;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.Elements;
import dev.tributary.train.data.Iteration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;

/**
 * Reads a large file through a pipeline and compares the memory that is in use along the way, on
 * the heap and outside of it, with what was in use after the first part of the file.
 *
 * @param records of 64 KiB each
 */
record DatasetMemory(int records) implements Workload {
  static final String NAME = "data-memory";
  private static final int RECORD_BYTES = 1 << 16;
  private static final int BATCH = 16;
  private static final int SHUFFLED = 256;
  private static final long COURSE_BYTES = 4L << 30;

  static DatasetMemory course() {
    return new DatasetMemory((int) (COURSE_BYTES / RECORD_BYTES));
  }

  @Override
  public void run(Driver driver, Timing timing) {
    Path file = file();
    try (Iteration pass = pipeline(file).iterate()) {
      Iterator<Elements> batches = pass.iterator();
      long part = Math.max(1, records / BATCH / (timing.rounds() + 1));
      go(batches, part);
      long first = usedBytes();
      double[] more = new double[timing.rounds()];
      for (int i = 0; i < more.length; i++) {
        go(batches, part);
        more[i] = Math.max(0, usedBytes() - first) / (double) (1 << 20);
      }
      driver.report(
          new Figure(
              NAME,
              Map.of("gib", records * (double) RECORD_BYTES / (1 << 30)),
              "MiB more",
              Figure.Better.MIN,
              more));
    } finally {
      delete(file);
    }
  }

  private static Dataset<Output> pipeline(Path file) {
    return Dataset.tfRecords(file)
        .shuffle(SHUFFLED, 1)
        .map((tf, record) -> tf.identity(record), 2)
        .batch(BATCH)
        .prefetch(Dataset.AUTOTUNE);
  }

  private static void go(Iterator<Elements> batches, long count) {
    for (long i = 0; i < count && batches.hasNext(); i++) {
      batches.next();
    }
  }

  /** Memory that is in use when all garbage is collected. */
  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + Allocator.shared().stats().liveBytes();
  }

  private Path file() {
    try {
      Path file = Files.createTempFile("tributary-bench", ".tfrecord");
      file.toFile().deleteOnExit();
      byte[] record = new byte[RECORD_BYTES];
      new Random(records).nextBytes(record);
      try (RecordWriter writer = RecordWriter.create(file)) {
        for (int i = 0; i < records; i++) {
          writer.write(record);
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
