package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains the digit recogniser and tells how well it does. */
@Command(
    name = "digits",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Trains a small convolutional network to recognise handwritten digits, in this process.",
      "Without --data it learns from the 1,797 embedded UCI digits of 8 x 8 pixels."
    })
public final class DigitsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "A folder with the four MNIST files (IDX format, gzipped or not).")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Passes over the training images; 30 embedded, 3 with --data by default.")
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
      defaultValue = "0.001",
      description = "Adam's learning rate.")
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

  @Override
  public Integer call() {
    requirePositive("--batch", batch);
    epochs.ifPresent(n -> requirePositive("--epochs", n));
    if (!(rate > 0)) {
      throw TributaryException.invalidArgument("--rate must be positive, got %s", rate);
    }
    PrintWriter out = spec.commandLine().getOut();
    DigitData digits = data.map(DigitData::mnist).orElseGet(DigitData::embedded);
    int passes = epochs.orElse(data.isPresent() ? 3 : 30);
    Ops tf = Ops.create();
    tf.graph().setSeed(seed);
    DigitsNetwork network =
        DigitsNetwork.build(tf, digits.training().height(), digits.training().width(), rate);
    out.printf(
        "%s: %,d images to learn from, %,d to be tested on; %,d parameters%n",
        digits.name(), digits.training().size(), digits.test().size(), network.parameters());
    out.flush();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph, SessionOptions.defaults().withBackend(backend))) {
      DigitsTraining.Report report =
          new DigitsTraining(network, session, digits, batch, seed).run(passes);
      out.printf(
          "%,d steps in %.1f s (%,.0f images/s), last loss %.4f%n",
          report.steps(), report.seconds(), report.imagesPerSecond(), report.lastLoss());
      out.printf(
          "test accuracy %.2f %% (%,d of %,d right)%n",
          100 * report.accuracy(), report.correct(), digits.test().size());
      out.flush();
    }
    return 0;
  }

  private static void requirePositive(String option, int value) {
    if (value < 1) {
      throw TributaryException.invalidArgument("%s must be 1 or more, got %d", option, value);
    }
  }
}
