package dev.tributary.bench.training;

import dev.tributary.cluster.spec.TaskName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A task in a process of its own, which takes orders and answers each by a line. It ends when this
 * is closed, and when this process dies in any way: its input ends then. Confined to one thread.
 */
final class TaskProcess implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  private final TaskName name;
  private final Process process;
  private final Writer orders;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private TaskProcess(TaskName name, Process process) {
    this.name = name;
    this.process = process;
    this.orders = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /** Starts a task that logs to the standard error of this process. */
  static TaskProcess start(TaskName name, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      TaskProcess task = new TaskProcess(name, process);
      Thread reader = new Thread(task::readAnswers, name + " answers");
      reader.setDaemon(true);
      reader.start();
      return task;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  void order(String line) {
    try {
      orders.write(line + "\n");
      orders.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " takes no orders", e);
    }
  }

  /** The next line that it says. */
  String answer(Duration limit) {
    try {
      String line = answers.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new IllegalStateException(
            "%s has said nothing for %s; it %s"
                .formatted(name, limit, process.isAlive() ? "runs" : "has ended"));
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " worked", e);
    }
  }

  @Override
  public void close() {
    try {
      orders.close();
      if (!process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly(); // It has ended, or nobody can tell it to.
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void readAnswers() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(answers::add);
    } catch (IOException | UncheckedIOException e) {
      // The process has ended.
    }
  }
}
