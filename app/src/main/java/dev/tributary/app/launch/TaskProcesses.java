package dev.tributary.app.launch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Processes of this program, each a task of one cluster. One that dies is started again, a limited
 * number of times. They end when this object is closed, when this process is told to end (Ctrl-C),
 * and when it dies in any other way: each then sees its standard input end. Confined to one thread,
 * but for what the shutdown of the process does.
 *
 * <pre>{@code
 * try (TaskProcesses tasks = new TaskProcesses(Main.class, restarts)) {
 *   tasks.start("ps 0", List.of("server", ...), line -> {});
 *   TaskProcess worker = tasks.start("worker 0", List.of("train", ...), System.out::println);
 *   tasks.awaitSuccess(List.of(worker));
 * }
 * }</pre>
 */
public final class TaskProcesses implements AutoCloseable {
  /**
   * The exit code of a process that would fail in the same way if it were started again. The same
   * holds for 2, a wrong command line.
   */
  public static final int NOT_RESTARTED = 3;

  private static final int WRONG_COMMAND_LINE = 2;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  private final String mainClass;
  private final Restarts restarts;
  private final List<TaskProcess> processes = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::stopAll, "tributary-stop-tasks");

  @GuardedBy("this")
  private boolean stopping;

  /**
   * The treatment of processes that die.
   *
   * @param logs the folder for a log of each task, which is made if there is none
   * @param limit how often each task is started again
   * @param onRestart called when one is, with a line that says so
   */
  public record Restarts(Path logs, int limit, Consumer<String> onRestart) {}

  /** Starts nothing yet. {@code main} is the class that the processes run. */
  public TaskProcesses(Class<?> main, Restarts restarts) {
    this.mainClass = main.getName();
    this.restarts = restarts;
    try {
      Files.createDirectories(restarts.logs());
    } catch (IOException e) {
      throw FileFailure.of("make a folder for the logs of tasks", restarts.logs(), e);
    }
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a process.
   *
   * @param name of the task; its log is called so, too
   * @param onLine gets the lines that it prints, on a thread of its own
   */
  public TaskProcess start(String name, List<String> arguments, Consumer<String> onLine) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    command.add(ParentWatch.OPTION);
    Path log = restarts.logs().resolve(name.replace(' ', '-') + ".log");
    synchronized (this) {
      requireNotStopping();
      TaskProcess process = TaskProcess.start(name, command, log, onLine);
      processes.add(process);
      return process;
    }
  }

  /**
   * Waits until these processes have ended well; others no longer count then. A process that dies
   * before is started again. Fails with ABORTED if that cannot help or was done too often.
   */
  public void awaitSuccess(List<TaskProcess> awaited) throws InterruptedException {
    while (!awaited.stream().allMatch(TaskProcess::hasSucceeded)) {
      reviveAll();
      awaitOneOf(awaited);
    }
  }

  /** Waits for the end of processes that end by themselves; the rest is ended by force. */
  public void awaitRest(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    processes.forEach(process -> process.endBy(deadline));
  }

  @Override
  public void close() {
    stopAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook does the same.
    }
  }

  private static void awaitOneOf(List<TaskProcess> awaited) throws InterruptedException {
    for (TaskProcess process : awaited) {
      if (process.isAlive()) {
        process.awaitEnd(POLL);
        return;
      }
    }
  }

  private void reviveAll() {
    for (TaskProcess process : processes) {
      if (!process.isAlive() && !process.hasSucceeded()) {
        revive(process);
      }
    }
  }

  private synchronized void revive(TaskProcess dead) {
    requireNotStopping();
    int code = dead.exitCode().orElse(0);
    boolean isHopeless = code == WRONG_COMMAND_LINE || code == NOT_RESTARTED;
    if (isHopeless || dead.restarts() >= restarts.limit()) {
      throw new TributaryException(ErrorCode.ABORTED, lastWords(dead));
    }
    String line =
        String.format(
            "%s; it is restarted (%d of %d), its log is %s",
            dead.obituary(), dead.restarts() + 1, restarts.limit(), dead.log());
    dead.start();
    restarts.onRestart().accept(line);
  }

  private static String lastWords(TaskProcess dead) {
    String after =
        switch (dead.restarts()) {
          case 0 -> "";
          case 1 -> " after a restart";
          default -> " after " + dead.restarts() + " restarts";
        };
    return String.format(
        "%s%s; the end of its log %s:%n%s", dead.obituary(), after, dead.log(), dead.logTail());
  }

  @GuardedBy("this")
  private void requireNotStopping() {
    if (stopping) {
      throw new TributaryException(ErrorCode.CANCELLED, "told to end");
    }
  }

  private void stopAll() {
    synchronized (this) {
      stopping = true;
    }
    processes.forEach(TaskProcess::stop);
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    for (TaskProcess process : processes) {
      process.endBy(deadline);
    }
  }

  /** Flags of this virtual machine that its children need, too; agents are for this one alone. */
  private static List<String> jvmFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agent") && !flag.startsWith("-javaagent"))
        .toList();
  }
}
