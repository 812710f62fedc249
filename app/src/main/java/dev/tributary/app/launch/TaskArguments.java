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
      paramLabel = "N|auto",
      defaultValue = "0",
      description =
          "Number of the task in its job, or auto: TF_CONFIG says task, job and cluster, or"
              + " JOB_COMPLETION_INDEX of Kubernetes, SLURM_PROCID of Slurm, or the end of the host"
              + " name says the number.")
  private TaskNumber task;

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

  /** Returns the cluster and the task of it that this process is. */
  public ClusterTask find(ClusterArguments cluster) {
    if (task.isAuto()) {
      return RefusedConfiguration.orRefused(
          () -> new TaskSearch(Environment.ofProcess(), cluster.find(), job).find());
    }
    ClusterSpec tasks = cluster.require();
    String name =
        job.orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "which task of the cluster is this? Give --job and --task"));
    OptionRange.require("--task", task.number().getAsInt(), 0, Integer.MAX_VALUE);
    return new ClusterTask(tasks, new TaskName(name, task.number().getAsInt()));
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
      ClusterTask self, BackendChoice backend, SecurityArguments security) {
    checkThreads();
    NameLookups.repeatSoon();
    ServerOptions options = options(self);
    ChannelSecurity channels = RefusedConfiguration.orRefused(() -> security.ofTask(self.task()));
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
    RefusedConfiguration.check(configured::requireKnownCallers);
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

  private ServerOptions options(ClusterTask self) {
    TaskName name = self.task();
    try {
      return ServerOptions.of(self.cluster(), name.job(), name.index());
    } catch (TributaryException e) {
      throw new ParameterException(
          command.commandLine(),
          "--job " + name.job() + " --task " + name.index() + ": " + e.getMessage(),
          e);
    }
  }

  /** Refuses to wait for other jobs if the cluster has none. */
  public void checkUntilDone(ClusterTask self) {
    if (self.cluster().jobs().keySet().equals(Set.of(self.task().job()))) {
      throw new ParameterException(
          command.commandLine(),
          "--until-done waits for the tasks of other jobs, but job "
              + self.task().job()
              + " is the only one of the cluster: leave out --until-done");
    }
  }
}
