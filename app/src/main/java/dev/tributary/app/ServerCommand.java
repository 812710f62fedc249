package dev.tributary.app;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.app.launch.LimitArguments;
import dev.tributary.app.launch.ParentWatch;
import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.app.launch.TaskArguments;
import dev.tributary.app.launch.TimeArguments;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.file.FileRoot;
import dev.tributary.placement.StatePlacement;
import dev.tributary.session.BackendChoice;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one task of a cluster until it is told to end. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs one task of a cluster until Ctrl-C or a TERM signal.",
      "Clients open sessions at grpc://host:port of any task."
    })
final class ServerCommand implements Callable<Integer> {
  @Mixin private ClusterArguments cluster;
  @Mixin private TaskArguments task;
  @Mixin private SecurityArguments security;
  @Mixin private LimitArguments limits;
  @Mixin private TimeArguments times;
  @Mixin private ParentWatch parent;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "Who computes: java, onednn, or auto, which is oneDNN where it loads.")
  private BackendChoice backend;

  @Option(
      names = "--file-root",
      paramLabel = "DIR",
      description =
          "The only folder in which ops may read and write files. By default they may anywhere.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> fileRoot = Optional.empty();

  @Option(
      names = "--fast-paths",
      paramLabel = "NAME",
      defaultValue = "all",
      description =
          "What goes beyond TensorFlow's protocol between tasks of ours: none, pushed (values are"
              + " sent unasked), or all (on one machine also past gRPC).")
  private FastPaths fastPaths;

  @Option(
      names = "--state-placement",
      paramLabel = "NAME",
      defaultValue = "first_task",
      description =
          "Where variables go that ask for no task: first_task (of job ps, or of the cluster),"
              + " which all sessions share, or master_task (of the session's server), as in"
              + " TensorFlow.")
  private StatePlacement statePlacement;

  @Option(
      names = "--until-done",
      description =
          "End when all tasks of other jobs are done (Server.complete): a parameter server ends"
              + " with the last worker.")
  private boolean untilDone;

  @Override
  public Integer call() throws InterruptedException {
    ClusterSpec tasks = cluster.require();
    if (untilDone) {
      task.checkUntilDone(tasks);
    }
    ServerOptions options =
        task.serverOptions(tasks, backend, security)
            .withTimes(times.times())
            .withLimits(limits.limits())
            .withFastPaths(fastPaths)
            .withStatePlacement(statePlacement)
            .withFiles(fileRoot.map(FileRoot::under).orElse(FileRoot.anywhere()));
    try (Server server = Server.start(options)) {
      // Signals end the process without unwinding this call.
      Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "tributary-stop"));
      parent.start();
      if (untilDone) {
        server.stopWhenOthersAreDone();
      }
      server.join();
    }
    return 0;
  }
}
