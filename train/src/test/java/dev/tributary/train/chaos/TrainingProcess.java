package dev.tributary.train.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.spec.TaskName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@link TrainingTask} in a process that can be killed, started again, frozen and resumed.
 * Guarded by its own monitor as to what the process has printed.
 */
final class TrainingProcess implements AutoCloseable {
  private static final int LIMIT_SECONDS = 60;
  private static final int LINES_KEPT = 60;
  private static final Pattern STEP = Pattern.compile("step (\\d+) (-?\\d+) (-?\\d+)");

  private final TaskName task;
  private final List<String> arguments;
  private final Deque<String> lines = new ArrayDeque<>();
  private Process process;
  private Optional<Report> last = Optional.empty();

  /**
   * A step that a worker has made.
   *
   * @param low the fewest updates that a weight has seen
   * @param high the most
   * @param nanos when it was reported
   */
  record Report(long step, long low, long high, long nanos) {}

  TrainingProcess(TaskName task, List<String> arguments) {
    this.task = task;
    this.arguments = List.copyOf(arguments);
  }

  TaskName task() {
    return task;
  }

  boolean isWorker() {
    return task.job().equals("worker");
  }

  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Tests are short: starting fast matters more than speed.
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TrainingTask.class.getName());
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Thread reader = new Thread(() -> read(process.inputReader()), "output-of-" + task);
    reader.setDaemon(true);
    reader.start();
  }

  void freeze() throws Exception {
    signal("STOP");
  }

  void resume() throws Exception {
    signal("CONT");
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("%s ended", task).isTrue();
  }

  /** The last step that it has reported, also in an earlier life. */
  synchronized Optional<Report> last() {
    return last;
  }

  /** Waits for a step that is reported after a moment; nothing if there is none in time. */
  synchronized Optional<Report> awaitStepAfter(long nanos, Duration limit)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (last.isEmpty() || last.get().nanos() - nanos < 0) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return Optional.empty();
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return last;
  }

  /** Its last lines but those about steps. */
  synchronized String log() {
    return "--- " + task + ", last step " + last + ":\n" + String.join("\n", lines);
  }

  @Override
  public void close() throws Exception {
    if (process != null) {
      kill();
    }
  }

  private void read(BufferedReader output) {
    try (output) {
      output.lines().forEach(this::said);
    } catch (IOException | UncheckedIOException e) {
      said("(killed)");
    }
  }

  private synchronized void said(String line) {
    Matcher step = STEP.matcher(line);
    if (step.matches()) {
      last =
          Optional.of(
              new Report(
                  Long.parseLong(step.group(1)),
                  Long.parseLong(step.group(2)),
                  Long.parseLong(step.group(3)),
                  System.nanoTime()));
      notifyAll();
      return;
    }
    lines.add(line);
    if (lines.size() > LINES_KEPT) {
      lines.remove();
    }
  }

  private void signal(String name) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }
}
