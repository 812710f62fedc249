package dev.tributary.app.launch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One of the {@link TaskProcesses}: a process that may be started again when it dies. Its log, what
 * all its starts have logged, is a file. Guarded by its own monitor.
 */
public final class TaskProcess {
  private static final int TAIL_LINES = 12;
  private static final String START_MARK = "--- ";

  private final String name;
  private final Program program;
  private final Path log;
  private final Consumer<String> onLine;

  @GuardedBy("this")
  private Process process;

  @GuardedBy("this")
  private Thread output;

  @GuardedBy("this")
  private int starts;

  /** The moment at which the last start ended, by {@link System#nanoTime}. */
  @GuardedBy("this")
  private CompletableFuture<Long> end;

  private TaskProcess(String name, Program program, Path log, Consumer<String> onLine) {
    this.name = name;
    this.program = program;
    this.log = log;
    this.onLine = onLine;
  }

  /**
   * @param log the file that what it logs is added to
   * @param onLine gets the lines that it prints, on a thread of its own
   */
  static TaskProcess start(String name, Program program, Path log, Consumer<String> onLine) {
    TaskProcess task = new TaskProcess(name, program, log, onLine);
    task.start();
    return task;
  }

  /** Starts the process, for the first time or again. */
  synchronized void start() {
    try {
      starts++;
      String mark =
          String.format(
              "%s%s, start %d, %s%n",
              START_MARK, name, starts, Instant.now().truncatedTo(ChronoUnit.SECONDS));
      Files.writeString(log, mark, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      ProcessBuilder builder = new ProcessBuilder(program.command());
      builder.environment().putAll(program.environment());
      if (program.logsOutput()) {
        builder.redirectErrorStream(true);
      } else {
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      }
      process = builder.start();
    } catch (IOException e) {
      throw TributaryException.failedPrecondition("cannot start %s: %s", name, e.getMessage());
    }
    end = process.onExit().thenApply(ended -> System.nanoTime());
    output = reader(process.getInputStream());
    output.start();
  }

  /** Returns when the last start has ended, by {@link System#nanoTime}; for one that has. */
  synchronized long endNanos() {
    return end.join();
  }

  public String name() {
    return name;
  }

  public synchronized long pid() {
    return process.pid();
  }

  /** Returns where the process logs. */
  public Path log() {
    return log;
  }

  /** Returns how often it has been started after it died. */
  public synchronized int restarts() {
    return starts - 1;
  }

  /** Returns whether it runs, or a line that it printed has not been passed on yet. */
  public synchronized boolean isAlive() {
    return !end.isDone() || output.isAlive();
  }

  /** Empty while it runs. */
  public synchronized OptionalInt exitCode() {
    return isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  boolean hasSucceeded() {
    return exitCode().equals(OptionalInt.of(0));
  }

  /** Waits until it has ended and all that it printed has been passed on. */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    CompletableFuture<Long> ended;
    Thread reader;
    synchronized (this) {
      ended = end;
      reader = output;
    }
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(name + ": its end cannot be waited for", e);
    }
    TimeUnit.NANOSECONDS.timedJoin(reader, deadline - System.nanoTime());
    return !reader.isAlive();
  }

  /** The exit code of a process that has ended, in words. */
  String obituary() {
    return name + " ended with exit code " + exitCode().orElse(0);
  }

  /** The last lines that the last start has logged. */
  String logTail() {
    Deque<String> tail = new ArrayDeque<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(log), Charset.defaultCharset()))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(START_MARK)) {
          tail.clear();
        } else {
          tail.add(line);
        }
        if (tail.size() > TAIL_LINES) {
          tail.remove();
        }
      }
    } catch (IOException e) {
      return "(cannot be read: " + e.getMessage() + ")";
    }
    return tail.isEmpty() ? "(empty)" : String.join(System.lineSeparator(), tail);
  }

  /**
   * Asks it to end, and whatever it has started. It is asked through its handle: {@link
   * Process#destroy} would close the stream of its last words, too.
   */
  synchronized void stop() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.toHandle().destroy();
  }

  /** Waits for its end until then, and ends it by force afterwards. */
  void endBy(long deadlineNanos) {
    try {
      if (!awaitEnd(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())))) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it by force, and whatever it has started. */
  synchronized void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Passes on what a start prints, on a thread of its own. */
  private Thread reader(InputStream printed) {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines =
                      new BufferedReader(new InputStreamReader(printed, Charset.defaultCharset()));
                  Writer copy = copy()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  copy.write(line + System.lineSeparator());
                  copy.flush();
                  onLine.accept(line);
                }
              } catch (IOException e) {
                // The process has ended, or its folder is gone.
              }
            },
            "tributary-" + name + " output");
    reader.setDaemon(true);
    return reader;
  }

  private Writer copy() throws IOException {
    return program.logsOutput()
        ? Files.newBufferedWriter(log, Charset.defaultCharset(), StandardOpenOption.APPEND)
        : Writer.nullWriter();
  }
}
