package dev.tributary.app.kubernetes;

import dev.tributary.app.launch.OptionRange;
import dev.tributary.app.launch.RoleArguments;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints manifests that run a program as all tasks of a cluster. */
@Command(
    name = "kubernetes",
    customSynopsis = "tributary kubernetes --name=NAME --image=IMAGE [OPTIONS] [-- ARGUMENT..]",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Prints Kubernetes manifests that run an image as all tasks of a cluster: a",
      "headless Service, and an Indexed Job for each job, or a JobSet. TF_CONFIG in",
      "each pod says which task it is; commands of tributary take it by --task auto.",
      "",
      "Tasks that fail are started again, but not those that end with code 2 (wrong",
      "command line) or 78 (refused configuration). Parameter servers must end by",
      "themselves with the last worker, as 'server --until-done' does."
    })
public final class KubernetesCommand implements Callable<Integer> {
  private static final int LAST_PORT = 65_535;
  private static final int MOST_CPUS = 1_024;
  private static final int MOST_RESTARTS = 1_000_000;
  private static final int MOST_GRACE = 86_400;

  /** So that the names of pods have at most 63 characters. */
  private static final int LONGEST_NAME = 40;

  private static final String LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";

  @Spec private CommandSpec spec;
  @Mixin private RoleArguments roles;

  @Parameters(
      paramLabel = "ARGUMENT",
      arity = "0..*",
      description = "Arguments for the image's entry point, the same for all tasks.",
      showDefaultValue = Visibility.NEVER)
  private List<String> arguments = List.of();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "Name of the training; names of pods begin with it.")
  private String name;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      required = true,
      description = "Container image that all tasks run.")
  private String image;

  @Option(names = "--jobset", description = "Print a JobSet instead of a Service and Jobs.")
  private boolean jobSet;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "2222",
      description = "Port at which the tasks find each other.")
  private int port;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description =
          "Print probes and the port of metrics. The program must serve them, as commands of"
              + " tributary do with --http-port 0.0.0.0:PORT.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> httpPort = Optional.empty();

  @Option(
      names = "--cpu",
      paramLabel = "N",
      defaultValue = "4",
      description = "Cores of each task; it computes with as many threads.")
  private int cpu;

  @Option(
      names = "--memory",
      paramLabel = "AMOUNT",
      defaultValue = "8Gi",
      description =
          "Memory of each task. A fifth of it, 256 MiB to 2 GiB, is for the Java heap, a tenth is"
              + " left free, and the rest is for tensors.")
  private String memory;

  @Option(
      names = "--ps-cpu",
      paramLabel = "N",
      description = "Cores of each parameter server. Those of --cpu by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> serverCpu = Optional.empty();

  @Option(
      names = "--ps-memory",
      paramLabel = "AMOUNT",
      description = "Memory of each parameter server. That of --memory by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<String> serverMemory = Optional.empty();

  @Option(
      names = "--mutual-tls-secret",
      paramLabel = "SECRET",
      description = {
        "Secret with the files of 'tributary certs', without ca-key.pem.",
        "Tasks see them in " + Training.Secrets.TLS_FOLDER + "."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<String> tlsSecret = Optional.empty();

  @Option(
      names = "--token-secret",
      paramLabel = "SECRET",
      description = {
        "Secret with the file of a token.",
        "Tasks see it in " + Training.Secrets.TOKEN_FOLDER + "."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<String> tokenSecret = Optional.empty();

  @Option(
      names = "--volume",
      paramLabel = "CLAIM:DIR",
      description =
          "Folder of a PersistentVolumeClaim that all tasks see, for data and checkpoints. May be"
              + " repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> volumes = List.of();

  @Option(
      names = "--restart",
      paramLabel = "N",
      defaultValue = "10",
      description = "How often each task that fails is started again.")
  private int restarts;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "Time from the TERM signal to the end by force: more than a checkpoint and the stop of"
              + " the server (20 s at most) take.")
  private int grace;

  @Option(
      names = "--keep-ps-nodes",
      description =
          "Print a PodDisruptionBudget that keeps nodes with parameter servers from being drained.")
  private boolean protectsServers;

  @Option(
      names = "--pod-monitor",
      description = "Print a PodMonitor, by which Prometheus' operator finds the metrics.")
  private boolean podMonitor;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Write NAME.yaml and kustomization.yaml to this folder instead of printing.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> output = Optional.empty();

  @Override
  public Integer call() {
    Manifests manifests = new Manifests(training(), podMonitor, protectsServers);
    PrintWriter out = spec.commandLine().getOut();
    if (output.isPresent()) {
      Path folder = output.get();
      write(folder, name + ".yaml", manifests.text());
      write(folder, "kustomization.yaml", manifests.kustomization(name + ".yaml"));
      out.println("kubectl apply -k " + folder);
    } else {
      out.print(manifests.text());
    }
    out.flush();
    return 0;
  }

  private Training training() {
    require(
        name.matches(LABEL) && name.length() <= LONGEST_NAME,
        "--name must be at most 40 small letters, digits and '-', the first a letter, got '"
            + name
            + "'");
    require(!image.isBlank(), "--image is empty");
    require(
        httpPort.isPresent() || !podMonitor,
        "--pod-monitor needs --http-port, at which the metrics are");
    require(
        roles.hasParameterServers() || !protectsServers,
        "--keep-ps-nodes has no effect without --ps: add it, or leave out --keep-ps-nodes");
    OptionRange.require("--port", port, 1, LAST_PORT);
    httpPort.ifPresent(p -> OptionRange.require("--http-port", p, 1, LAST_PORT));
    require(!httpPort.equals(Optional.of(port)), "--port and --http-port are the same: " + port);
    OptionRange.require("--restart", restarts, 0, MOST_RESTARTS);
    OptionRange.require("--grace", grace, 1, MOST_GRACE);
    Resources others = resources("--cpu", cpu, "--memory", memory);
    return new Training(
        name,
        image,
        arguments,
        jobSet ? Layout.JOB_SET : Layout.JOBS,
        roles.cluster(),
        roles.hasEvaluator(),
        port,
        httpPort,
        resources("--ps-cpu", serverCpu.orElse(cpu), "--ps-memory", serverMemory.orElse(memory)),
        others,
        new Training.Secrets(tlsSecret, tokenSecret),
        claims(),
        restarts,
        grace);
  }

  private static Resources resources(
      String cpuOption, int cpus, String memoryOption, String amount) {
    OptionRange.require(cpuOption, cpus, 1, MOST_CPUS);
    Resources resources = new Resources(cpus, Quantity.parse(memoryOption, amount));
    if (resources.tensorBytes() == 0) {
      throw TributaryException.invalidArgument(
          "%s: %s leaves nothing for tensors beside 256 MiB of Java heap and as much for the rest;"
              + " give 1Gi or more",
          memoryOption, amount);
    }
    return resources;
  }

  private Map<String, String> claims() {
    Map<String, String> claims = new LinkedHashMap<>();
    for (String volume : volumes) {
      int colon = volume.indexOf(':');
      require(
          volume.matches(LABEL + ":/.*"),
          "--volume must be the name of a claim and a folder, such as data:/data, got '"
              + volume
              + "'");
      claims.put(volume.substring(0, colon), volume.substring(colon + 1));
    }
    return claims;
  }

  private void require(boolean isRight, String message) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private static void write(Path folder, String name, String text) {
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(folder);
      Files.writeString(file, text);
    } catch (IOException e) {
      throw FileFailure.of("write", file, e);
    }
  }
}
