package dev.tributary.app.digits;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.app.launch.ParentWatch;
import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.app.launch.TaskArguments;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.TributaryException;
import dev.tributary.session.BackendChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains the digit recogniser and tells how well it does. */
@Command(
    name = "digits",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Trains a small convolutional network to recognise handwritten digits.",
      "Without --data it learns from the 1,797 embedded UCI digits of 8 x 8 pixels.",
      "It runs in this process; with --workers on a cluster of processes on this machine;",
      "with a cluster, --job and --task as one task of that cluster."
    })
public final class DigitsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "A folder with the four MNIST files (IDX format, gzipped or not).",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Passes over the training images; 30 embedded, 3 with --data by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> epochs = Optional.empty();

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "64",
      description = "Images in a step.")
  private int batch;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "0.002",
      description = "Adam's learning rate at the start; it falls to 0 in a straight line.")
  private float rate;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Makes a run repeatable.")
  private int seed;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "Who computes: java, onednn, or auto, which is oneDNN where it loads.")
  private BackendChoice backend;

  @Option(
      names = "--ps",
      paramLabel = "N",
      description =
          "Train on a cluster of processes on this machine: how many parameter servers; 1 by"
              + " default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> parameterServers = Optional.empty();

  @Option(
      names = "--workers",
      paramLabel = "N",
      description =
          "Train on a cluster of processes on this machine: how many workers; 1 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> workers = Optional.empty();

  @Option(
      names = "--logdir",
      paramLabel = "DIR",
      description =
          "Where checkpoints and events go. Training goes on from the latest checkpoint there.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> logdir = Optional.empty();

  @Option(
      names = "--save_model_secs",
      paramLabel = "S",
      defaultValue = "10",
      description = "Seconds between checkpoints.")
  private int saveModelSecs;

  @Mixin private ConsistencyArguments consistency;
  @Mixin private ClusterArguments cluster;
  @Mixin private TaskArguments task;
  @Mixin private SecurityArguments security;
  @Mixin private ParentWatch parent;

  @Override
  public Integer call() throws InterruptedException {
    DigitsSettings settings = settings();
    PrintWriter out = spec.commandLine().getOut();
    if (task.present()) {
      parent.start();
      runTask(settings, out);
    } else if (workers.isPresent() || parameterServers.isPresent()) {
      describe(settings, out);
      cluster(settings).run(out);
    } else {
      describe(settings, out);
      DigitsRole alone = DigitsRole.alone();
      DigitsReport report;
      try (Progress progress =
          new ProgressOnTerminal("training", settings.stepsOfWorker(alone.workers()))) {
        report = new DigitsRun(settings, alone).run("local", progress);
      }
      report.printSteps(out);
      report.printValidations(out);
      report.printTest(out);
    }
    return 0;
  }

  private DigitsSettings settings() {
    requirePositive("--batch", batch);
    epochs.ifPresent(n -> requirePositive("--epochs", n));
    if (!(rate > 0)) {
      throw TributaryException.invalidArgument("--rate must be positive, got %s", rate);
    }
    DigitData digits = data.map(DigitData::mnist).orElseGet(DigitData::embedded);
    int passes = epochs.orElse(data.isPresent() ? 3 : 30);
    requirePositive("--save_model_secs", saveModelSecs);
    return new DigitsSettings(
        digits,
        passes,
        batch,
        rate,
        seed,
        backend,
        consistency.toConsistency(),
        logdir,
        Duration.ofSeconds(saveModelSecs));
  }

  private DigitsCluster cluster(DigitsSettings settings) {
    int servers = parameterServers.orElse(1);
    int computing = workers.orElse(1);
    requirePositive("--ps", servers);
    requirePositive("--workers", computing);
    Class<?> main = spec.root().userObject().getClass();
    return new DigitsCluster(main, settings, servers, computing, sharedOptions());
  }

  /** This process is one task of a cluster whose others were started elsewhere. */
  private void runTask(DigitsSettings settings, PrintWriter out) throws InterruptedException {
    ClusterSpec tasks = cluster.require();
    if (!tasks.jobs().keySet().equals(Set.of("ps", "worker"))) {
      throw TributaryException.invalidArgument(
          "training needs the jobs ps and worker, got %s", tasks.jobs().keySet());
    }
    try (Server server = Server.start(task.serverOptions(tasks, backend, security))) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "tributary-stop"));
      if (!task.job().equals("worker")) {
        server.stopWhenOthersAreDone();
        server.join();
        return;
      }
      int all = tasks.jobs().get("worker").size();
      int steps = settings.stepsOfWorker(all);
      DigitsRole role = new DigitsRole(tasks.jobs().get("ps").size(), all, task.task());
      DigitsReport report;
      try (Progress progress =
          parent.wanted()
              ? new ProgressLines(out, steps)
              : new ProgressOnTerminal("worker " + task.task(), steps)) {
        report = new DigitsRun(settings, role).run(server.target(), progress);
      }
      out.print("worker " + task.task() + ": ");
      report.printSteps(out);
      report.printValidations(out);
      report.printStaleness(out, settings.consistency());
      report.printTest(out);
      server.complete();
    }
  }

  private void describe(DigitsSettings settings, PrintWriter out) {
    DigitData digits = settings.data();
    out.printf(
        "%s: %,d images to learn from, %,d to be tested on%n",
        digits.name(), digits.training().size(), digits.test().size());
    out.flush();
  }

  /** What the processes of a cluster are told as this one was. */
  private List<String> sharedOptions() {
    List<String> options = new ArrayList<>();
    data.ifPresent(folder -> options.addAll(List.of("--data", folder.toString())));
    epochs.ifPresent(n -> options.addAll(List.of("--epochs", Integer.toString(n))));
    options.addAll(List.of("--batch", Integer.toString(batch)));
    options.addAll(List.of("--rate", Float.toString(rate)));
    options.addAll(List.of("--seed", Integer.toString(seed)));
    options.addAll(List.of("--backend", backend.name()));
    options.addAll(List.of("--consistency", consistency.toConsistency().toString()));
    logdir.ifPresent(folder -> options.addAll(List.of("--logdir", folder.toString())));
    options.addAll(List.of("--save_model_secs", Integer.toString(saveModelSecs)));
    options.addAll(security.toArguments());
    return options;
  }

  private static void requirePositive(String option, int value) {
    if (value < 1) {
      throw TributaryException.invalidArgument("%s must be 1 or more, got %d", option, value);
    }
  }
}
