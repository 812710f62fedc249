package dev.tributary.app.records;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.record.Compression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Writes the examples of a source into several files at the same time. Either all files appear or
 * none, also if the process is told to end (Ctrl-C) meanwhile.
 */
final class ShardWriting {
  private static final long STOP_SECONDS = 10;

  private final ExampleSource source;
  private final int shards;
  private final Compression compression;
  private final RecordsProgress progress;
  private final CountDownLatch cleaned = new CountDownLatch(1);
  private volatile boolean isStopped;

  /**
   * @param shards into how many files the whole source goes
   */
  ShardWriting(
      ExampleSource source, int shards, Compression compression, RecordsProgress progress) {
    this.source = source;
    this.shards = shards;
    this.compression = compression;
    this.progress = progress;
  }

  /** A file and the number of the shard in it. */
  record Target(int shard, Path path) {}

  /** Writes these shards with so many threads. */
  void write(List<Target> targets, int workers) throws InterruptedException {
    Thread hook = new Thread(this::stopAndWait, "tributary-stop-records");
    Runtime.getRuntime().addShutdownHook(hook);
    List<RecordFile> files = Collections.synchronizedList(new ArrayList<>());
    ExecutorService pool = Executors.newFixedThreadPool(workers, ShardWriting::thread);
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (Target target : targets) {
        writing.add(pool.submit(() -> write(target, files)));
      }
      for (Future<?> one : writing) {
        one.get();
      }
      files.forEach(RecordFile::commit);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new TributaryException(ErrorCode.INTERNAL, e.getCause().toString(), e.getCause());
    } finally {
      isStopped = true;
      pool.shutdown();
      pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      files.forEach(RecordFile::close);
      cleaned.countDown();
      removeHook(hook);
    }
  }

  private void write(Target target, List<RecordFile> files) {
    RecordFile file = new RecordFile(target.path(), compression);
    files.add(file);
    source.read(
        target.shard(),
        shards,
        example -> {
          if (isStopped) {
            throw new TributaryException(ErrorCode.CANCELLED, "told to end");
          }
          file.write(example.toByteArray());
          progress.made(1);
        });
    file.finish();
  }

  private void stopAndWait() {
    isStopped = true;
    try {
      cleaned.await(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already.
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tributary-records");
    thread.setDaemon(true);
    return thread;
  }
}
