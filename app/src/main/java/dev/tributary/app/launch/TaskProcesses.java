package dev.tributary.app.launch;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Processes of this program, each a task of one cluster. They end when this object is closed, when
 * this process is told to end (Ctrl-C), and when it dies in any other way: each then sees its
 * standard input end. Confined to one thread, but for what the shutdown of the process does.
 *
 * <pre>{@code
 * try (TaskProcesses tasks = new TaskProcesses(Main.class)) {
 *   tasks.start("ps 0", List.of("server", ...), line -> {});
 *   TaskProcess worker = tasks.start("worker 0", List.of("train", ...), System.out::println);
 *   tasks.awaitSuccess(List.of(worker), Duration.ofHours(1));
 * }
 * }</pre>
 */
public final class TaskProcesses implements AutoCloseable {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  private final String mainClass;
  private final List<TaskProcess> processes = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::stopAll, "tributary-stop-tasks");
  private volatile boolean stopping;

  /** Starts nothing yet. {@code main} is the class that the processes run. */
  public TaskProcesses(Class<?> main) {
    mainClass = main.getName();
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a process. {@code onLine} gets the lines that it prints, on a thread of its own; what it
   * logs is kept for the case that it fails.
   */
  public TaskProcess start(String name, List<String> arguments, Consumer<String> onLine) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    command.add(ParentWatch.OPTION);
    TaskProcess process = TaskProcess.start(name, command, onLine);
    processes.add(process);
    return process;
  }

  /**
   * Waits until these processes have ended well. Fails with ABORTED as soon as any process that was
   * started here ends otherwise, and with DEADLINE_EXCEEDED when the time is over.
   */
  public void awaitSuccess(List<TaskProcess> awaited, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (awaited.stream().anyMatch(TaskProcess::isAlive)) {
      requireNoFailure(awaited);
      if (System.nanoTime() > deadline) {
        throw new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED,
            "still running after "
                + limit.toSeconds()
                + " s: "
                + awaited.stream().filter(TaskProcess::isAlive).map(TaskProcess::name).toList());
      }
      awaitOneOf(awaited);
    }
    requireNoFailure(awaited);
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

  private void awaitOneOf(List<TaskProcess> awaited) throws InterruptedException {
    for (TaskProcess process : awaited) {
      if (process.isAlive()) {
        process.awaitEnd(POLL);
        return;
      }
    }
  }

  private void requireNoFailure(List<TaskProcess> awaited) {
    if (stopping) {
      throw new TributaryException(ErrorCode.CANCELLED, "told to end");
    }
    for (TaskProcess process : processes) {
      boolean mayEnd = awaited.contains(process) && process.exitCode().orElse(0) == 0;
      if (!process.isAlive() && !mayEnd) {
        throw new TributaryException(ErrorCode.ABORTED, process.obituary());
      }
    }
  }

  private void stopAll() {
    stopping = true;
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
