package dev.tributary.app.launch;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options that describe a cluster: as JSON, or as the lists of hosts that TensorFlow users know.
 */
@Command(optionListHeading = "Cluster (--cluster, or --ps_hosts and --worker_hosts):")
public final class ClusterArguments {
  private static final String PS_HOSTS = "--ps_hosts";
  private static final String WORKER_HOSTS = "--worker_hosts";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--cluster",
      paramLabel = "JSON|@FILE",
      description = {
        "All jobs with the addresses of their tasks, such as",
        "{\"ps\": [\"h0:2222\"], \"worker\": [\"h1:2222\"]}",
        "or {\"worker\": {\"3\": \"h1:2222\"}}, by task number.",
        "@FILE reads the JSON from a file."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<String> cluster = Optional.empty();

  @Option(
      names = PS_HOSTS,
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Addresses of the tasks of job ps, in the order of their numbers.",
      showDefaultValue = Visibility.NEVER)
  private List<String> psHosts = List.of();

  @Option(
      names = WORKER_HOSTS,
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Addresses of the tasks of job worker, in the order of their numbers.",
      showDefaultValue = Visibility.NEVER)
  private List<String> workerHosts = List.of();

  /** The cluster, if the command line describes one. */
  public Optional<ClusterSpec> find() {
    boolean hosts = !psHosts.isEmpty() || !workerHosts.isEmpty();
    if (cluster.isPresent() && hosts) {
      throw new ParameterException(
          command.commandLine(),
          "--cluster and --ps_hosts or --worker_hosts both describe the cluster: use one of them");
    }
    return hosts ? Optional.of(ofHosts()) : cluster.map(ClusterArguments::ofJson);
  }

  public ClusterSpec require() {
    return find()
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "which cluster? Give --cluster, or --ps_hosts and --worker_hosts"));
  }

  private ClusterSpec ofHosts() {
    psHosts.forEach(address -> requireAddress(PS_HOSTS, address));
    workerHosts.forEach(address -> requireAddress(WORKER_HOSTS, address));
    Map<String, List<String>> jobs = new LinkedHashMap<>();
    jobs.put("ps", psHosts);
    jobs.put("worker", workerHosts);
    try {
      return ClusterSpec.of(jobs);
    } catch (TributaryException e) {
      throw e.at(PS_HOSTS + " and " + WORKER_HOSTS);
    }
  }

  private static void requireAddress(String option, String address) {
    try {
      HostAndPort.parse(address);
    } catch (TributaryException e) {
      throw e.at(option);
    }
  }

  private static ClusterSpec ofJson(String jsonOrFile) {
    try {
      return ClusterSpec.parseJson(
          jsonOrFile.startsWith("@") ? content(jsonOrFile.substring(1)) : jsonOrFile);
    } catch (TributaryException e) {
      throw e.at(jsonOrFile.startsWith("@") ? "--cluster " + jsonOrFile : "--cluster");
    }
  }

  private static String content(String file) {
    if (file.isEmpty()) {
      throw TributaryException.invalidArgument("the name of the file is missing after '@'");
    }
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw FileFailure.of("read", Path.of(file), e);
    }
  }
}
