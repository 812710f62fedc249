package dev.tributary.app.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One of the {@link TaskProcesses}. Safe for use by many threads. */
public final class TaskProcess {
  private static final int KEPT_LINES = 20;

  private final String name;
  private final Process process;
  private final Thread output;
  private final Deque<String> lastLogged = new ArrayDeque<>(); // Guarded by itself.

  private TaskProcess(String name, Process process, Consumer<String> onLine) {
    this.name = name;
    this.process = process;
    this.output = reader(name + " output", process.getInputStream(), onLine);
  }

  static TaskProcess start(String name, Iterable<String> command, Consumer<String> onLine) {
    ProcessBuilder builder = new ProcessBuilder();
    command.forEach(builder.command()::add);
    try {
      TaskProcess started = new TaskProcess(name, builder.start(), onLine);
      started.output.start();
      reader(name + " log", started.process.getErrorStream(), started::logged).start();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  /** Whether it runs, or something that it printed has not been told yet. */
  public boolean isAlive() {
    return process.isAlive() || output.isAlive();
  }

  /** Empty while it runs. */
  public OptionalInt exitCode() {
    return isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** Waits until it has ended and all that it printed has been told. */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    TimeUnit.NANOSECONDS.timedJoin(output, deadline - System.nanoTime());
    return !output.isAlive();
  }

  /** How it ended, and the last lines of its log. */
  String obituary() {
    synchronized (lastLogged) {
      return String.format(
          "%s ended with exit code %d; its last words:%n%s",
          name, process.exitValue(), String.join(System.lineSeparator(), lastLogged));
    }
  }

  /** Asks it to end. */
  void stop() {
    process.destroy();
  }

  /** Waits for its end until then, and ends it by force afterwards. */
  void endBy(long deadlineNanos) {
    try {
      if (!awaitEnd(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())))) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void logged(String line) {
    synchronized (lastLogged) {
      lastLogged.add(line);
      if (lastLogged.size() > KEPT_LINES) {
        lastLogged.remove();
      }
    }
  }

  private static Thread reader(String role, InputStream stream, Consumer<String> onLine) {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(stream, Charset.defaultCharset()))) {
                lines.lines().forEach(onLine);
              } catch (IOException | UncheckedIOException e) {
                // The process has ended.
              }
            },
            "tributary-" + role);
    reader.setDaemon(true);
    return reader;
  }
}
