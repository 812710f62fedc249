package dev.tributary.bench.training;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs the command {@code tributary digits} on clusters of processes, as a user does: what its
 * models recognise, and how long it takes.
 */
@Command(name = "digits", description = "What 'tributary digits' recognises, and how soon.")
final class DigitsCommand implements Callable<Integer> {
  private static final Pattern ACCURACY =
      Pattern.compile("test accuracy ([0-9.]+) % .* ([0-9.]+) % using the average model");

  @Option(names = "--tributary", required = true, description = "The tributary command.")
  private Path tributary;

  @Option(
      names = "--mnist",
      description = "A folder with the MNIST files; the embedded digits are learnt without it.")
  private Optional<Path> mnist = Optional.empty();

  @Option(names = "--rounds", defaultValue = "3", description = "Runs, each with another seed.")
  private int rounds;

  @Spec private CommandSpec spec;

  /** The outcome of one run; accuracies in percent. */
  record Outcome(double accuracy, double averageAccuracy, double seconds) {}

  /** The outcomes of one kind of run. */
  private record Rows(Quantity accuracy, Quantity averageAccuracy, Quantity seconds) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<Quantity, List<Double>> values = new EnumMap<>(Quantity.class);
    for (int seed = 1; seed <= rounds; seed++) {
      for (boolean sync : new boolean[] {false, true}) {
        Rows rows = rows(sync);
        Outcome outcome = run(sync, seed);
        add(values, rows.accuracy, outcome.accuracy);
        add(values, rows.averageAccuracy, outcome.averageAccuracy);
        add(values, rows.seconds, outcome.seconds);
      }
    }
    values.forEach(
        (quantity, of) -> spec.commandLine().getOut().println(new Rounds(quantity, of).toLine()));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private Rows rows(boolean sync) {
    if (mnist.isPresent()) {
      return sync
          ? new Rows(Quantity.MNIST_SYNC, Quantity.MNIST_SYNC_AVERAGE, Quantity.MNIST_SYNC_TIME)
          : new Rows(Quantity.MNIST_ASYNC, Quantity.MNIST_ASYNC_AVERAGE, Quantity.MNIST_ASYNC_TIME);
    }
    return sync
        ? new Rows(Quantity.DIGITS_SYNC, Quantity.DIGITS_SYNC_AVERAGE, Quantity.DIGITS_SYNC_TIME)
        : new Rows(
            Quantity.DIGITS_ASYNC, Quantity.DIGITS_ASYNC_AVERAGE, Quantity.DIGITS_ASYNC_TIME);
  }

  private Outcome run(boolean sync, int seed) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(tributary.toString(), "digits"));
    command.addAll(List.of("--seed", Integer.toString(seed)));
    if (mnist.isPresent()) {
      command.addAll(List.of("--data", mnist.get().toString(), "--epochs", "2"));
      command.addAll(List.of("--ps", "1", "--workers", "2"));
    } else {
      command.addAll(List.of("--ps", "2", "--workers", "3"));
    }
    if (sync) {
      command.add("--sync");
    }
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
      said = String.join("\n", out.lines().toList());
    }
    int code = process.waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (code != 0) {
      throw new IllegalStateException("%s failed with exit code %d".formatted(command, code));
    }
    return parse(said, seconds);
  }

  static Outcome parse(String said, double seconds) {
    Matcher accuracy = ACCURACY.matcher(said);
    if (!accuracy.find()) {
      throw new IllegalArgumentException("the command told no test accuracy: " + said);
    }
    return new Outcome(
        Double.parseDouble(accuracy.group(1)), Double.parseDouble(accuracy.group(2)), seconds);
  }

  private static void add(Map<Quantity, List<Double>> values, Quantity quantity, double value) {
    values.computeIfAbsent(quantity, key -> new ArrayList<>()).add(value);
  }
}
