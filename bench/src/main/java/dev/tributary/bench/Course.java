package dev.tributary.bench;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.session.ProcessTuning;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The program that the peers' driver starts to measure Tributary, and that tabulates the figures.
 * The script {@code bench/course} runs it all.
 */
@Command(
    name = "course",
    description = "Measures Tributary on the workloads that its peers are measured on.",
    subcommands = {
      ServerCommand.class,
      BenchCommand.class,
      CertificatesCommand.class,
      ReportCommand.class
    })
public final class Course implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  // Before the command too, where a driver that adds the command can have it.
  @Option(
      names = "--vars",
      defaultValue = "resource",
      scope = ScopeType.INHERIT,
      description = "Kind of variables: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  private VariableKind variables;

  @Option(
      names = "--fast-paths",
      defaultValue = "ALL",
      scope = ScopeType.INHERIT,
      description =
          "Ways between the tasks: ${COMPLETION-CANDIDATES}; NETWORK is what two machines get,"
              + " ${DEFAULT-VALUE} if not given.")
  private FastPaths fastPaths;

  @Option(
      names = "--mutual-tls",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Certificates of the tasks, as tributary certs makes them; plain text without.")
  private Optional<Path> certificates = Optional.empty();

  @Option(
      names = "--insecure",
      scope = ScopeType.INHERIT,
      description = "Lets every caller in, also from other hosts.")
  private boolean insecure;

  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    ProcessTuning.apply();
    System.exit(commandLine().execute(arguments));
  }

  /** The exit code is 0, 2 for a command line that is wrong, 1 for anything else. */
  static CommandLine commandLine() {
    return new CommandLine(new Course());
  }

  VariableKind variables() {
    return variables;
  }

  /** Options of a task, as the command line has them. */
  ServerOptions serverOptions(ClusterSpec cluster, String job, int task) {
    ServerOptions options =
        ServerOptions.of(cluster, job, task)
            .withFastPaths(fastPaths)
            .withInsecure(insecure)
            .withWarmUp(true);
    return certificates
        .map(folder -> new CertificateFolder(folder).ofTask(new TaskName(job, task)).withMutual())
        .map(files -> options.withSecurity(ChannelSecurity.none().withTls(files)))
        .orElse(options);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which command? server, bench, certificates or report.");
  }
}
