package dev.tributary.app;

import dev.tributary.app.http.HttpArguments;
import dev.tributary.app.http.Monitoring;
import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.app.launch.ClusterTask;
import dev.tributary.app.launch.LimitArguments;
import dev.tributary.app.launch.ParentWatch;
import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.app.launch.StopSignal;
import dev.tributary.app.launch.TaskArguments;
import dev.tributary.app.launch.TimeArguments;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.StatePlacement;
import dev.tributary.session.BackendChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one task of a cluster until it is stopped. */
@Command(
    name = "server",
    customSynopsis = "tributary server --cluster=JSON|@FILE --job=NAME [--task=N] [OPTIONS]",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs one task of a cluster until Ctrl-C or a TERM signal.",
      "Clients open sessions at grpc://HOST:PORT of any task of the cluster."
    })
final class ServerCommand implements Callable<Integer> {
  @Mixin private ClusterArguments cluster;
  @Mixin private TaskArguments task;
  @Mixin private SecurityArguments security;
  @Mixin private LimitArguments limits;
  @Mixin private TimeArguments times;
  @Mixin private HttpArguments http;
  @Mixin private ParentWatch parent;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "Library that computes: java, onednn, or auto (oneDNN if it can be loaded, otherwise"
              + " java).")
  private BackendChoice backend;

  @Option(
      names = "--file-root",
      paramLabel = "DIR",
      description =
          "Only folder in which the ops of a graph may read and write files. Any folder by"
              + " default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> fileRoot = Optional.empty();

  @Option(
      names = "--fast-paths",
      paramLabel = "NAME",
      defaultValue = "all",
      description =
          "Extensions of TensorFlow's protocol between Tributary's own tasks: none, pushed (tensors"
              + " are sent before they are asked for), network (also past gRPC, by TCP connections"
              + " of their own), or all (also local sockets and shared memory between tasks on one"
              + " machine).")
  private FastPaths fastPaths;

  @Option(
      names = "--stream-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "TCP port for steps of Tributary's tasks on other machines (--fast-paths), for firewalls"
              + " that let through what is named; 0 for any free port.")
  private int streamPort;

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
          "Stop when the tasks of all other jobs have completed (Server.complete), so that a"
              + " parameter server ends with the last worker.")
  private boolean untilDone;

  @Override
  public Integer call() throws InterruptedException {
    ClusterTask self = task.find(cluster);
    if (untilDone) {
      task.checkUntilDone(self);
    }
    ServerOptions options =
        task.serverOptions(self, backend, security)
            .withTimes(times.times())
            .withLimits(limits.limits())
            .withFastPaths(fastPaths)
            .withStreamPort(streamPort)
            .withStatePlacement(statePlacement);
    if (fileRoot.isPresent()) {
      options = options.withFileRoot(requireFolder(fileRoot.get()));
    }
    try (Monitoring monitoring = http.start(self.task().job(), self.task().index());
        Server server = Server.start(options)) {
      Runnable stop =
          () -> {
            monitoring.stopping();
            server.stop();
          };
      // Ctrl-C ends the process without unwinding this call, as does a lost parent.
      Runtime.getRuntime().addShutdownHook(new Thread(stop, "tributary-stop"));
      parent.start();
      if (untilDone) {
        // TERM is not handled: a server that is stopped before the others are done has not done
        // its part, and ends with 143.
        server.stopWhenOthersAreDone();
      } else {
        StopSignal.onTerm(stop);
      }
      monitoring.ready(server);
      server.join();
    }
    return 0;
  }

  private static Path requireFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw TributaryException.failedPrecondition("--file-root: %s is not a folder", folder);
    }
    return folder;
  }
}
