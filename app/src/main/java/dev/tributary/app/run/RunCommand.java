package dev.tributary.app.run;

import dev.tributary.app.files.TextTable;
import dev.tributary.app.launch.OptionRange;
import dev.tributary.app.launch.Program;
import dev.tributary.app.launch.Roles;
import dev.tributary.app.launch.TaskProcess;
import dev.tributary.app.launch.TaskProcesses;
import dev.tributary.app.launch.Terminal;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
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
      "Starts a command once for each task of a cluster on this machine. TF_CONFIG",
      "tells each process the addresses of all tasks, and which one it is.",
      "",
      "Ends when the chief, the workers and the evaluator have; parameter servers are",
      "stopped then. If a task fails, the others are stopped, and the exit code is",
      "that of the task that failed first."
    })
public final class RunCommand implements Callable<Integer> {
  private static final int MOST_TASKS = 1_000;
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The command, such as: java -cp app.jar my.Main")
  private List<String> command;

  @Option(names = "--ps", paramLabel = "N", defaultValue = "0", description = "Parameter servers.")
  private int parameterServers;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Workers. The first one is task 0 of job chief.")
  private int workers;

  @Option(
      names = "--no-chief",
      description = "Make all workers tasks of job worker, as strategies without a chief expect.")
  private boolean noChief;

  @Option(names = "--evaluator", description = "Start an evaluator, too.")
  private boolean evaluator;

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

  @Override
  public Integer call() throws InterruptedException {
    OptionRange.require("--ps", parameterServers, 0, MOST_TASKS);
    OptionRange.require("--workers", workers, 0, MOST_TASKS);
    OptionRange.require("--restart", restarts, 0, Integer.MAX_VALUE);
    List<TaskName> cluster = Roles.ofCluster(parameterServers, workers, !noChief);
    Iterator<String> addresses = FreePorts.addresses(cluster.size()).iterator();
    Roles roles = Roles.at(cluster, evaluator, task -> addresses.next());
    PrintWriter out = spec.commandLine().getOut();
    Path folder = logs.orElseGet(RunCommand::temporaryFolder);
    try (TaskScreen screen = new TaskScreen(out, Terminal.isPresent());
        TaskProcesses processes =
            new TaskProcesses(
                new TaskProcesses.Restarts(folder, restarts, code -> false, screen::notice))) {
      Map<TaskName, TaskProcess> tasks = new LinkedHashMap<>();
      Integer code;
      try {
        for (TaskName task : roles.tasks()) {
          tasks.put(task, start(processes, roles, task, screen));
        }
        processes.awaitSuccess(
            tasks.entrySet().stream()
                .filter(entry -> !roles.runsForEver(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList());
        code = 0;
      } catch (TributaryException e) {
        code = codeOf(e, processes, screen);
      }
      processes.close();
      screen.close();
      summarize(out, roles, tasks);
      return code;
    }
  }

  private TaskProcess start(
      TaskProcesses processes, Roles roles, TaskName task, TaskScreen screen) {
    String name = task.job() + " " + task.index();
    Program program = new Program(command, Map.of("TF_CONFIG", roles.tfConfig(task)), true);
    TaskProcess process = processes.start(name, program, line -> screen.line(name, line));
    screen.show(process);
    return process;
  }

  private static int codeOf(TributaryException e, TaskProcesses processes, TaskScreen screen) {
    if (e.code() == ErrorCode.CANCELLED) {
      return INTERRUPTED;
    }
    if (processes.failed().isEmpty()) {
      throw e;
    }
    TaskProcess failed = processes.failed().get();
    screen.notice(failed.name() + " " + TaskScreen.state(failed) + "; stopping the other tasks");
    return failed.exitCode().orElse(1);
  }

  private static void summarize(PrintWriter out, Roles roles, Map<TaskName, TaskProcess> tasks) {
    TextTable table = new TextTable();
    tasks.forEach(
        (task, process) ->
            table.add(
                process.name(),
                roles.runsForEver(task) ? "stopped" : TaskScreen.state(process),
                process.restarts() == 0 ? "" : "restarted " + process.restarts() + " x",
                process.log().toString()));
    out.print(table);
    out.flush();
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("tributary-run-");
    } catch (IOException e) {
      throw FileFailure.of(
          "make a folder for logs in", Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }
}
