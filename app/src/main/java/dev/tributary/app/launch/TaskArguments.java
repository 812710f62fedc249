package dev.tributary.app.launch;

import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.TlsFiles;
import dev.tributary.session.BackendChoice;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.ConfigProto;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say which task of a cluster a process is, and what it may use of the machine. */
@Command(optionListHeading = "Task:")
public final class TaskArguments {
  private static final int MOST_THREADS = 4096;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = {"--job", "--job_name"},
      paramLabel = "NAME",
      description = "Job of the task that this process runs, such as ps or worker.",
      showDefaultValue = Visibility.NEVER)
  private Optional<String> job = Optional.empty();

  @Option(
      names = {"--task", "--task_index"},
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of the task in its job.")
  private int task;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Threads that compute; 0 is one per core.")
  private int threads;

  @Option(
      names = "--insecure",
      description =
          "Listen at an address that other machines can reach without --mutual-tls or --token-file,"
              + " so that anybody who reaches it may use this task.")
  private boolean insecure;

  @Option(
      names = "--any-local-user",
      description =
          "Let every user of this machine use a task at a loopback address that has neither"
              + " --mutual-tls nor --token-file. Otherwise only its own user and root may.")
  private boolean anyLocalUser;

  @Option(
      names = "--admin-certificate",
      description =
          "With --mutual-tls: take calls that end the work of others only from tasks and from"
              + " callers with admin.pem of 'tributary certs'.")
  private boolean adminCertificate;

  /** Returns whether the command line makes this process a task of a cluster. */
  public boolean present() {
    return job.isPresent();
  }

  public String job() {
    return job.orElseThrow(
        () ->
            new ParameterException(
                command.commandLine(), "which task of the cluster is this? Give --job and --task"));
  }

  public int task() {
    return task;
  }

  /** Returns how many threads compute; 0 is one for each core. */
  public int threads() {
    return threads;
  }

  /** Refuses a number of threads that cannot be. */
  public void checkThreads() {
    OptionRange.require("--threads", threads, 0, MOST_THREADS);
  }

  public ServerOptions serverOptions(
      ClusterSpec cluster, BackendChoice backend, SecurityArguments security) {
    checkThreads();
    ServerOptions options = options(cluster);
    ChannelSecurity channels = security.ofTask(new TaskName(job(), task));
    if (adminCertificate) {
      channels = channels.withTls(withAdminRole(channels));
    }
    if (insecure && channels.knowsCallers()) {
      throw new ParameterException(
          command.commandLine(),
          "--insecure lets any caller in, --mutual-tls and --token-file only those that are known:"
              + " leave out one of them");
    }
    ServerOptions configured =
        options
            .withConfig(
                ConfigProto.newBuilder()
                    .setIntraOpParallelismThreads(threads)
                    .setInterOpParallelismThreads(threads)
                    .build())
            .withBackend(backend)
            .withSecurity(channels)
            .withInsecure(insecure)
            .withWarmUp(true);
    return anyLocalUser ? configured.withAnyLocalUser() : configured;
  }

  private TlsFiles withAdminRole(ChannelSecurity channels) {
    return channels
        .tls()
        .filter(TlsFiles::mutual)
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "--admin-certificate needs --mutual-tls, by which callers show certificates"))
        .withAdminRole();
  }

  private ServerOptions options(ClusterSpec cluster) {
    OptionRange.require("--task", task, 0, Integer.MAX_VALUE);
    try {
      return ServerOptions.of(cluster, job(), task);
    } catch (TributaryException e) {
      throw new ParameterException(
          command.commandLine(), "--job " + job() + " --task " + task + ": " + e.getMessage(), e);
    }
  }

  /** Refuses to wait for other jobs if the cluster has none. */
  public void checkUntilDone(ClusterSpec cluster) {
    if (cluster.jobs().keySet().equals(Set.of(job()))) {
      throw new ParameterException(
          command.commandLine(),
          "--until-done waits for the tasks of other jobs, but job "
              + job()
              + " is the only one of the cluster: leave out --until-done");
    }
  }
}
