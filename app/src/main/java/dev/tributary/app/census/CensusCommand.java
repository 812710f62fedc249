package dev.tributary.app.census;

import dev.tributary.app.http.HttpArguments;
import dev.tributary.app.http.Monitoring;
import dev.tributary.app.launch.LocalClusterArguments;
import dev.tributary.app.launch.OptionRange;
import dev.tributary.app.launch.ParentWatch;
import dev.tributary.app.launch.RefusedConfiguration;
import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.app.launch.TemporaryFolder;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.estimator.Evaluation;
import dev.tributary.train.estimator.RunConfig;
import dev.tributary.train.estimator.TfConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Trains a wide and deep model of the census, and tests it. */
@Command(
    name = "census",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Trains a wide and deep classifier that tells from the data of a census whether a person"
          + " earns more than 50,000 dollars.",
      "Without --data it learns from 4,000 embedded rows of the UCI Adult data (1994).",
      "It trains in this process; with --workers, on a cluster of processes on this machine; with"
          + " TF_CONFIG in the environment, as the task that it names. 'tributary events' shows the"
          + " events in --logdir."
    })
public final class CensusCommand implements Callable<Integer> {
  private static final int MOST = 1_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder with adult.data and adult.test of the UCI Adult data.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--logdir",
      paramLabel = "DIR",
      description =
          "Folder for checkpoints, events and the logs of tasks, which all tasks see. Training"
              + " resumes from the latest checkpoint in it. A new folder for temporary files by"
              + " default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> logdir = Optional.empty();

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Passes over the training data, by all workers together.")
  private int epochs;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "128",
      description = "Rows per training step.")
  private int batch;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the random numbers; runs in one process with one seed are alike.")
  private int seed;

  @Option(
      names = "--insecure",
      description =
          "As a task of a cluster: listen at an address that other machines can reach without"
              + " --mutual-tls or --token-file.")
  private boolean insecure;

  @Mixin private LocalClusterArguments local;
  @Mixin private SecurityArguments security;
  @Mixin private HttpArguments http;
  @Mixin private ParentWatch parent;

  @Override
  public Integer call() throws InterruptedException {
    OptionRange.require("--epochs", epochs, 1, MOST);
    OptionRange.require("--batch", batch, 1, MOST);
    local.check();
    parent.start();
    TfConfig task = TfConfig.fromEnvironment();
    if (local.isWanted() && !task.isLocal()) {
      throw new ParameterException(
          spec.commandLine(),
          "--ps and --workers start a cluster, but TF_CONFIG makes this process a task of one:"
              + " leave out one of them");
    }
    if (!task.isLocal() && logdir.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "a task of a cluster needs --logdir, which all tasks see");
    }
    Path folder = logdir.orElseGet(() -> TemporaryFolder.make("tributary-census-"));
    CensusData rows = data.map(CensusData::read).orElseGet(CensusData::embedded);
    CensusTraining training = new CensusTraining(rows, epochs, batch, seed, config(folder, task));
    PrintWriter out = spec.commandLine().getOut();
    if (local.isWanted()) {
      runCluster(training, folder, out);
    } else {
      runHere(training, task, out);
    }
    return 0;
  }

  private RunConfig config(Path folder, TfConfig task) {
    RunConfig config = RunConfig.defaults().withModelDir(folder);
    if (task.isLocal()) {
      return config;
    }
    TaskName name = new TaskName(task.type(), task.index());
    ChannelSecurity channels = RefusedConfiguration.orRefused(() -> security.ofTask(name));
    SessionOptions session = config.session();
    RunConfig secured =
        config.withSession(session.withCluster(session.cluster().withSecurity(channels)));
    return insecure ? secured.withInsecure() : secured;
  }

  private void runHere(CensusTraining training, TfConfig task, PrintWriter out) {
    if (!parent.wanted()) {
      describe(training.data(), out);
    }
    try (Monitoring monitoring =
        task.isLocal() ? http.start() : http.start(task.type(), task.index())) {
      Runtime.getRuntime().addShutdownHook(new Thread(monitoring::stopping, "tributary-stop"));
      monitoring.ready();
      Optional<Evaluation> last = training.run(monitoring);
      if (task.isLocal()) {
        report(last.orElseGet(training::evaluate), training, out);
      } else {
        last.ifPresent(evaluation -> report(evaluation, training, out));
      }
    }
  }

  private void runCluster(CensusTraining training, Path folder, PrintWriter out)
      throws InterruptedException {
    describe(training.data(), out);
    Path logs = folder.resolve("logs");
    out.println("the tasks log to " + logs);
    out.flush();
    new CensusCluster(
            spec.root().userObject().getClass(),
            local.parameterServers(),
            local.workers(),
            logs,
            local.restarts(),
            arguments(folder))
        .run(out);
    report(training.evaluate(), training, out);
  }

  /** The same command line for the tasks of a cluster. */
  private List<String> arguments(Path folder) {
    List<String> arguments = new ArrayList<>(List.of("census", "--logdir", folder.toString()));
    data.ifPresent(path -> arguments.addAll(List.of("--data", path.toString())));
    arguments.addAll(List.of("--epochs", Integer.toString(epochs)));
    arguments.addAll(List.of("--batch", Integer.toString(batch)));
    arguments.addAll(List.of("--seed", Integer.toString(seed)));
    arguments.addAll(security.toArguments());
    return arguments;
  }

  private static void describe(CensusData data, PrintWriter out) {
    out.printf(
        "%s: %,d rows to learn from, %,d to be tested on%n",
        data.name(), data.training().size(), data.test().size());
    out.flush();
  }

  private static void report(Evaluation evaluation, CensusTraining training, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "after %,d steps: test accuracy %.2f %%, AUC %.3f, on %,d rows%n",
        evaluation.globalStep(),
        100 * evaluation.metric("accuracy"),
        evaluation.metric("auc"),
        training.data().test().size());
    training
        .config()
        .modelDir()
        .ifPresent(folder -> out.println("checkpoints and events are in " + folder));
    out.flush();
  }
}
