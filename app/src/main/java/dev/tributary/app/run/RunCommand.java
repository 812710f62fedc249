package dev.tributary.app.run;

import dev.tributary.app.files.TextTable;
import dev.tributary.app.launch.OptionRange;
import dev.tributary.app.launch.RefusedConfiguration;
import dev.tributary.app.launch.RoleArguments;
import dev.tributary.app.launch.StopSignal;
import dev.tributary.app.launch.TaskProcess;
import dev.tributary.app.launch.TaskProcesses;
import dev.tributary.app.launch.TemporaryFolder;
import dev.tributary.app.launch.Terminal;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts a program as all tasks of a cluster on this machine. */
@Command(
    name = "run",
    customSynopsis = "tributary run [OPTIONS] -- COMMAND [ARGUMENT..]",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts a command once for each task of a cluster, on this machine or on hosts.",
      "TF_CONFIG tells each process the addresses of all tasks, and which one it is.",
      "",
      "Ends when the chief, the workers and the evaluator have; parameter servers are",
      "stopped then. If a task fails, the others are stopped, and the exit code is",
      "that of the task that failed first. Tasks that end with 2 (wrong command line)",
      "or 78 (refused configuration) are not restarted."
    })
public final class RunCommand implements Callable<Integer> {
  private static final int LAST_PORT = 65_535;
  private static final int INTERRUPTED = 130;
  private static final int TERMINATED = 143;

  /** Codes of a wrong command line and of a refused configuration, which would come again. */
  private static final Set<Integer> REFUSED = Set.of(2, RefusedConfiguration.EXIT_CODE);

  @Spec private CommandSpec spec;
  @Mixin private RoleArguments roles;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The command, such as: java -cp app.jar my.Main")
  private List<String> command;

  @Option(
      names = "--restart",
      paramLabel = "N",
      defaultValue = "0",
      description = "How often each task that dies is started again.")
  private int restarts;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description =
          "Folder for what each task prints, in one file each. A new folder for temporary files by"
              + " default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> logs = Optional.empty();

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description = {
        "Start the tasks on other machines, by ssh without a password. Each line of the file is a"
            + " machine, such as: user@name slots=2",
        "Machines get tasks in turn, each at most as many as it has slots."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> hosts = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "2222",
      description =
          "With --hosts: port of the first task on each machine; the next has the next port.")
  private int port;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "With --hosts: folder where the command runs. The present one by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--ssh",
      paramLabel = "COMMAND",
      defaultValue = "ssh -o BatchMode=yes -o ServerAliveInterval=15",
      description = "With --hosts: the ssh client and its options.")
  private String ssh;

  @Override
  public Integer call() throws InterruptedException {
    OptionRange.require("--restart", restarts, 0, Integer.MAX_VALUE);
    OptionRange.require("--port", port, 1, LAST_PORT);
    Placement placement = placement();
    PrintWriter out = spec.commandLine().getOut();
    Path folder = logs.orElseGet(() -> TemporaryFolder.make("tributary-run-"));
    try (TaskScreen screen = new TaskScreen(out, Terminal.isPresent());
        TaskProcesses processes =
            new TaskProcesses(
                new TaskProcesses.Restarts(folder, restarts, REFUSED::contains, screen::notice))) {
      AtomicInteger told = new AtomicInteger();
      StopSignal.onInterrupt(() -> cancel(processes, screen, told, INTERRUPTED));
      StopSignal.onTerm(() -> cancel(processes, screen, told, TERMINATED));
      Map<TaskName, TaskProcess> tasks = new LinkedHashMap<>();
      int code = run(placement, tasks, processes, screen, told);
      Set<TaskProcess> servers =
          tasks.entrySet().stream()
              .filter(task -> placement.roles().runsForEver(task.getKey()))
              .map(Map.Entry::getValue)
              .filter(TaskProcess::isAlive)
              .collect(Collectors.toSet());
      processes.close();
      screen.close();
      summarize(out, folder, tasks, servers, processes.failed());
      return code;
    }
  }

  private Placement placement() {
    return hosts
        .map(
            file ->
                Placement.onHosts(
                    Hosts.read(file),
                    new Ssh(
                        List.of(ssh.strip().split("\\s+")),
                        directory.orElse(Path.of("")).toAbsolutePath()),
                    roles.cluster(),
                    roles.hasEvaluator(),
                    port))
        .orElseGet(() -> Placement.here(roles.cluster(), roles.hasEvaluator()));
  }

  /** Runs all tasks to the end; returns the exit code that says how it was. */
  private int run(
      Placement placement,
      Map<TaskName, TaskProcess> tasks,
      TaskProcesses processes,
      TaskScreen screen,
      AtomicInteger told)
      throws InterruptedException {
    try {
      for (TaskName task : placement.roles().tasks()) {
        tasks.put(task, start(placement, task, processes, screen));
      }
      processes.awaitSuccess(
          tasks.entrySet().stream()
              .filter(entry -> !placement.roles().runsForEver(entry.getKey()))
              .map(Map.Entry::getValue)
              .toList());
      return 0;
    } catch (TributaryException e) {
      if (e.code() == ErrorCode.CANCELLED) {
        return told.get() == 0 ? TERMINATED : told.get();
      }
      if (processes.failed().isEmpty()) {
        throw e;
      }
      TaskProcess failed = processes.failed().get();
      screen.notice(failed.name() + " " + TaskScreen.state(failed) + "; stopping the other tasks");
      return failed.exitCode().orElse(1);
    }
  }

  private static void cancel(
      TaskProcesses processes, TaskScreen screen, AtomicInteger told, int code) {
    if (told.compareAndSet(0, code)) {
      screen.notice("stopping the tasks; Ctrl-C again kills them");
    }
    processes.cancel();
  }

  private TaskProcess start(
      Placement placement, TaskName task, TaskProcesses processes, TaskScreen screen) {
    String name = task.job() + " " + task.index();
    TaskProcess process =
        processes.start(name, placement.program(task, command), line -> screen.line(name, line));
    screen.show(process);
    return process;
  }

  private static void summarize(
      PrintWriter out,
      Path folder,
      Map<TaskName, TaskProcess> tasks,
      Set<TaskProcess> stopped,
      Optional<TaskProcess> failed) {
    TextTable table = new TextTable();
    tasks.forEach(
        (task, process) -> {
          boolean isFirst = failed.equals(Optional.of(process));
          table.add(
              process.name(),
              (stopped.contains(process) ? "stopped" : TaskScreen.state(process))
                  + (isFirst ? " (failed first)" : ""),
              process.restarts() == 0 ? "" : "restarted " + process.restarts() + " x",
              process.log().getFileName().toString());
        });
    out.print(table);
    out.println("tributary: the logs are in " + folder);
    out.flush();
  }
}
