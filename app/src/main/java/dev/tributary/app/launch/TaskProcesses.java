package dev.tributary.app.launch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Processes, each a task of one cluster. One that dies is started again, a limited number of times.
 * They end when this object is closed and when this process is told to end (Ctrl-C); when it dies
 * in any other way, each sees its standard input end. Confined to one thread, but for what the
 * shutdown of the process does.
 *
 * <pre>{@code
 * try (TaskProcesses tasks = new TaskProcesses(restarts)) {
 *   tasks.start("ps 0", Program.ofThis(Main.class, List.of("server", ...)), line -> {});
 *   TaskProcess worker = tasks.start("worker 0", ..., System.out::println);
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

  private final Restarts restarts;
  private final List<TaskProcess> processes = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::stopAll, "tributary-stop-tasks");

  @GuardedBy("this")
  private boolean stopping;

  private volatile Optional<TaskProcess> failed = Optional.empty();

  /**
   * The treatment of processes that die.
   *
   * @param logs the folder for a log of each task, which is made if there is none
   * @param limit how often each task is started again
   * @param isHopeless whether an exit code says that another start would end in the same way
   * @param onRestart called when one is started again, with a line that says so
   */
  public record Restarts(
      Path logs, int limit, IntPredicate isHopeless, Consumer<String> onRestart) {
    /** The treatment of processes of this program, which say by their code what is hopeless. */
    public Restarts(Path logs, int limit, Consumer<String> onRestart) {
      this(logs, limit, code -> code == WRONG_COMMAND_LINE || code == NOT_RESTARTED, onRestart);
    }
  }

  /** Starts nothing yet. */
  public TaskProcesses(Restarts restarts) {
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
  public TaskProcess start(String name, Program program, Consumer<String> onLine) {
    Path log = restarts.logs().resolve(name.replace(' ', '-') + ".log");
    synchronized (this) {
      requireNotStopping();
      TaskProcess process = TaskProcess.start(name, program, log, onLine);
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
      requireNotCancelled();
      reviveAll();
      awaitOneOf(awaited);
    }
  }

  /** Returns the process whose end has made {@link #awaitSuccess} fail. */
  public Optional<TaskProcess> failed() {
    return failed;
  }

  /**
   * Lets {@link #awaitSuccess} fail with CANCELLED soon. May be called by any thread; a second call
   * ends the processes by force.
   */
  public void cancel() {
    boolean isFirst;
    synchronized (this) {
      isFirst = !stopping;
      stopping = true;
    }
    if (!isFirst) {
      processes.forEach(TaskProcess::kill);
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

  /** The first that has died comes first: others may have died of its end. */
  private void reviveAll() {
    processes.stream()
        .filter(process -> !process.isAlive() && !process.hasSucceeded())
        .sorted((a, b) -> Long.signum(a.endNanos() - b.endNanos()))
        .forEach(this::revive);
  }

  private synchronized void revive(TaskProcess dead) {
    requireNotStopping();
    int code = dead.exitCode().orElse(0);
    if (restarts.isHopeless().test(code) || dead.restarts() >= restarts.limit()) {
      failed = Optional.of(dead);
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

  private synchronized void requireNotCancelled() {
    requireNotStopping();
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
}
