package dev.tributary.app.digits;

import dev.tributary.app.http.HttpArguments;
import dev.tributary.app.http.Monitoring;
import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.app.launch.ClusterTask;
import dev.tributary.app.launch.LocalClusterArguments;
import dev.tributary.app.launch.ParentWatch;
import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.app.launch.TaskArguments;
import dev.tributary.app.launch.TaskProcesses;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.SessionOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Trains the digit recogniser, tests it, and recognises digits with it. */
@Command(
    name = "digits",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Trains a small convolutional network to recognise handwritten digits.",
      "Without --data it learns from the 1,797 embedded UCI digits of 8 x 8 pixels.",
      "It trains in this process; with --workers, on a cluster of processes on this machine; with a"
          + " cluster, --job and --task, as one task of that cluster.",
      "Afterwards --evaluate tests, and --predict uses the network of a --logdir."
    })
public final class DigitsCommand implements Callable<Integer> {
  /** Failures of a task that would come again if it were restarted. */
  private static final Set<ErrorCode> HOPELESS =
      EnumSet.of(ErrorCode.INVALID_ARGUMENT, ErrorCode.DATA_LOSS);

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder with the four MNIST files (IDX format, gzipped or not).",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Passes over the training images. 30 by default, 3 with --data.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> epochs = Optional.empty();

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "64",
      description = "Images per training step.")
  private int batch;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "0.002",
      description = "Learning rate of Adam at the start; it falls linearly to 0.")
  private float rate;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the random numbers; runs with the same seed are alike.")
  private int seed;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "Library that computes: java, onednn, or auto (oneDNN if it can be loaded, otherwise"
              + " java).")
  private BackendChoice backend;

  @Option(
      names = "--logdir",
      paramLabel = "DIR",
      description =
          "Folder for checkpoints, events and the logs of tasks. Training resumes from the latest"
              + " checkpoint in it.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> logdir = Optional.empty();

  @Option(
      names = "--start-over",
      description =
          "Move the checkpoints in --logdir to a folder in it, and train from scratch instead of"
              + " resuming.")
  private boolean startOver;

  @Option(
      names = "--save_model_secs",
      paramLabel = "S",
      defaultValue = "10",
      description = "Seconds between checkpoints.")
  private int saveModelSecs;

  @Option(
      names = "--evaluate",
      description =
          "Instead of training: test the network of the latest checkpoint in --logdir. It must have"
              + " been trained with the same --data.")
  private boolean evaluate;

  @Option(
      names = "--predict",
      paramLabel = "FILE",
      arity = "1..*",
      description = {
        "Instead of training: recognise the digits in PNG files, with the network of the latest"
            + " checkpoint in --logdir.",
        "Images with light edges are inverted; those of another size than the network's are cut to"
            + " the digit and scaled."
      },
      showDefaultValue = Visibility.NEVER)
  private List<Path> predict = List.of();

  @Mixin private ConsistencyArguments consistency;
  @Mixin private StrategyArguments strategy;
  @Mixin private ClusterArguments cluster;
  @Mixin private TaskArguments task;
  @Mixin private LocalClusterArguments local;
  @Mixin private SecurityArguments security;
  @Mixin private HttpArguments http;
  @Mixin private ParentWatch parent;

  @Override
  public Integer call() throws InterruptedException {
    DigitsMode mode = DigitsMode.of(spec.commandLine());
    checkOptions(mode);
    PrintWriter out = spec.commandLine().getOut();
    switch (mode) {
      case ALONE -> runAlone(settings(), out);
      case CLUSTER -> runCluster(settings(), out);
      case TASK -> {
        return runTask(out);
      }
      case EVALUATE -> evaluate(out);
      case PREDICT -> predict(out);
    }
    return 0;
  }

  /** Refuses what would have no effect or cannot work, before anything is done. */
  private void checkOptions(DigitsMode mode) {
    requirePositive("--batch", batch);
    epochs.ifPresent(n -> requirePositive("--epochs", n));
    local.check();
    requirePositive("--save_model_secs", saveModelSecs);
    require(rate > 0 && rate < Float.POSITIVE_INFINITY, "--rate must be positive, got " + rate);
    boolean saves = logdir.isPresent() || mode == DigitsMode.CLUSTER;
    require(
        saves || !spec.commandLine().getParseResult().hasMatchedOption("--save_model_secs"),
        "--save_model_secs has no effect without --logdir: add it, or leave out --save_model_secs");
    require(
        logdir.isPresent() || !startOver,
        "--start-over has no effect without --logdir: add it, or leave out --start-over");
    boolean needsModel = mode == DigitsMode.EVALUATE || mode == DigitsMode.PREDICT;
    require(
        logdir.isPresent() || !needsModel,
        (evaluate ? "--evaluate" : "--predict") + " needs --logdir, the folder of a training");
    task.checkThreads();
    strategy.check(spec.commandLine());
    int computing = mode == DigitsMode.TASK ? Integer.MAX_VALUE : local.workers();
    try {
      consistency.toConsistency().gradientsPerStep(computing);
    } catch (TributaryException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private DigitsSettings settings() {
    return new DigitsSettings(
        data(),
        epochs.orElse(data.isPresent() ? 3 : 30),
        batch,
        rate,
        seed,
        sessionOptions(),
        consistency.toConsistency(),
        strategy.toStrategy(),
        logdir,
        Duration.ofSeconds(saveModelSecs));
  }

  private DigitData data() {
    return data.map(DigitData::mnist).orElseGet(DigitData::embedded);
  }

  private SessionOptions sessionOptions() {
    SessionOptions options = SessionOptions.defaults().withBackend(backend);
    return task.threads() == 0
        ? options
        : options.withIntraOpThreads(task.threads()).withInterOpThreads(task.threads());
  }

  private void runAlone(DigitsSettings settings, PrintWriter out) {
    describe(settings, out);
    startOver(out);
    DigitsRole alone = DigitsRole.alone();
    DigitsReport report;
    try (Monitoring monitoring = http.start();
        Progress progress = ProgressDisplay.of(out, settings.globalSteps(alone.workers()))) {
      monitoring.ready();
      Runtime.getRuntime().addShutdownHook(stop(monitoring, () -> {}));
      report = new DigitsRun(settings, alone).run("local", progress, monitoring);
    }
    print(report.lines(), out);
  }

  /** Ends this process in order when it is told to. */
  private static Thread stop(Monitoring monitoring, Runnable end) {
    return new Thread(
        () -> {
          monitoring.stopping();
          end.run();
        },
        "tributary-stop");
  }

  private void startOver(PrintWriter out) {
    if (startOver) {
      DigitsFolder.setAside(logdir.orElseThrow())
          .ifPresent(
              aside -> print(List.of("starts over; the earlier checkpoints are in " + aside), out));
    }
  }

  /** Starts all tasks of a cluster on this machine. */
  private void runCluster(DigitsSettings settings, PrintWriter out) throws InterruptedException {
    describe(settings, out);
    startOver(out);
    int computing = local.workers();
    try (DigitsFolder folder = DigitsFolder.of(logdir);
        Progress progress = ProgressDisplay.of(out, settings.globalSteps(computing))) {
      folder.describe().ifPresent(progress::line);
      new DigitsCluster(
              spec.root().userObject().getClass(),
              local.parameterServers(),
              computing,
              folder.logs(),
              local.restarts(),
              sharedOptions(folder, computing))
          .run(progress);
      folder.finished();
    }
  }

  /** Runs this process as one task of a cluster. */
  private int runTask(PrintWriter out) throws InterruptedException {
    parent.start();
    try {
      runTask(settings(), out);
      return 0;
    } catch (TributaryException e) {
      if (!parent.wanted() || !HOPELESS.contains(e.code())) {
        throw e;
      }
      // The parent need not try it again.
      spec.commandLine().getErr().println("tributary: " + e.getMessage());
      return TaskProcesses.NOT_RESTARTED;
    }
  }

  private void runTask(DigitsSettings settings, PrintWriter out) throws InterruptedException {
    ClusterTask self = task.find(cluster);
    ClusterSpec tasks = self.cluster();
    TaskName name = self.task();
    require(
        tasks.jobs().keySet().equals(Set.of("ps", "worker")),
        "training needs the jobs ps and worker, got " + tasks.jobs().keySet());
    ServerOptions options = task.serverOptions(self, backend, security);
    try (Monitoring monitoring = http.start(name.job(), name.index());
        Server server = Server.start(options)) {
      Runtime.getRuntime().addShutdownHook(stop(monitoring, server::stop));
      monitoring.ready(server);
      int all = tasks.jobs().get("worker").size();
      long steps = settings.globalSteps(all);
      if (!name.job().equals("worker")) {
        if (parent.wanted()) {
          new ProgressLines(out, steps).status("");
        }
        server.stopWhenOthersAreDone();
        server.join();
        return;
      }
      DigitsRole role = new DigitsRole(tasks.jobs().get("ps").size(), all, name.index());
      DigitsReport report;
      try (Progress progress =
          parent.wanted() ? new ProgressLines(out, steps) : ProgressDisplay.of(out, steps)) {
        report = new DigitsRun(settings, role).run(server.target(), progress, monitoring);
      }
      print(report.lines(name.index(), settings.consistency()), out);
      server.complete();
    }
  }

  private void evaluate(PrintWriter out) {
    ImageSet test = data().test();
    try (DigitsModel model = DigitsModel.restore(logdir.orElseThrow(), sessionOptions())) {
      DigitsAccuracy accuracy = model.accuracy(test);
      print(List.of(model.checkpoint() + ", step " + model.step() + ": " + accuracy), out);
    }
  }

  private void predict(PrintWriter out) {
    try (DigitsModel model = DigitsModel.restore(logdir.orElseThrow(), sessionOptions())) {
      for (Path file : predict) {
        float[] pixels = PngDigit.read(file, model.height(), model.width());
        print(List.of(file + ": " + new DigitsPrediction(model.probabilities(pixels))), out);
      }
    }
  }

  private static void describe(DigitsSettings settings, PrintWriter out) {
    DigitData digits = settings.data();
    out.printf(
        "%s: %,d images to learn from, %,d to be tested on%n",
        digits.name(), digits.training().size(), digits.test().size());
    out.flush();
  }

  private static void print(List<String> lines, PrintWriter out) {
    lines.forEach(out::println);
    out.flush();
  }

  /** Options of this process that the tasks of its cluster get, too. */
  private List<String> sharedOptions(DigitsFolder folder, int computing) {
    List<String> options = new ArrayList<>();
    data.ifPresent(path -> options.addAll(List.of("--data", path.toString())));
    epochs.ifPresent(n -> options.addAll(List.of("--epochs", Integer.toString(n))));
    options.addAll(List.of("--batch", Integer.toString(batch)));
    options.addAll(List.of("--rate", Float.toString(rate)));
    options.addAll(List.of("--seed", Integer.toString(seed)));
    options.addAll(List.of("--backend", backend.name()));
    options.addAll(List.of("--consistency", consistency.toConsistency().toString()));
    options.addAll(List.of("--logdir", folder.checkpoints().toString()));
    options.addAll(List.of("--save_model_secs", Integer.toString(saveModelSecs)));
    options.addAll(List.of("--threads", Integer.toString(threadsOfTask(computing))));
    options.addAll(security.toArguments());
    return options;
  }

  /** All processes share the cores of this machine. */
  private int threadsOfTask(int computing) {
    return task.threads() > 0
        ? task.threads()
        : Math.max(1, Runtime.getRuntime().availableProcessors() / computing);
  }

  private void requirePositive(String option, int value) {
    require(value >= 1, option + " must be 1 or more, got " + value);
  }

  private void require(boolean isRight, String message) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
