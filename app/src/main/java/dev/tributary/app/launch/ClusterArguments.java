package dev.tributary.app.launch;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * How a command line tells a cluster: as JSON, or as the lists of hosts that TensorFlow users know.
 */
public final class ClusterArguments {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--cluster",
      paramLabel = "JSON|@FILE",
      description = {
        "All tasks and their addresses, such as",
        "{\"ps\": [\"localhost:2222\"], \"worker\": [\"localhost:2223\"]};",
        "a job may also be an object from task numbers to addresses. @FILE reads a file."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<String> cluster = Optional.empty();

  @Option(
      names = "--ps_hosts",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "The tasks of job ps, instead of --cluster.",
      showDefaultValue = Visibility.NEVER)
  private List<String> psHosts = List.of();

  @Option(
      names = "--worker_hosts",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "The tasks of job worker, instead of --cluster.",
      showDefaultValue = Visibility.NEVER)
  private List<String> workerHosts = List.of();

  /** The cluster, if the command line tells one. */
  public Optional<ClusterSpec> find() {
    boolean hosts = !psHosts.isEmpty() || !workerHosts.isEmpty();
    if (cluster.isPresent() && hosts) {
      throw new ParameterException(
          command.commandLine(),
          "--cluster and --ps_hosts or --worker_hosts are two ways to say the same: use one");
    }
    if (hosts) {
      return Optional.of(ClusterSpec.of(jobs()));
    }
    return cluster.map(ClusterArguments::content).map(ClusterSpec::parseJson);
  }

  public ClusterSpec require() {
    return find()
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "which cluster? Give --cluster, or --ps_hosts and --worker_hosts"));
  }

  private Map<String, List<String>> jobs() {
    Map<String, List<String>> jobs = new LinkedHashMap<>();
    jobs.put("ps", psHosts);
    jobs.put("worker", workerHosts);
    return jobs;
  }

  private static String content(String jsonOrFile) {
    if (!jsonOrFile.startsWith("@")) {
      return jsonOrFile;
    }
    Path file = Path.of(jsonOrFile.substring(1));
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw TributaryException.notFound("the cluster's file cannot be read: %s", e);
    }
  }
}
