package dev.tributary.bench;

import dev.tributary.bench.Figure.Better;
import dev.tributary.bench.network.LstmNetwork;
import dev.tributary.bench.network.MobileNetwork;
import dev.tributary.bench.network.Network;
import dev.tributary.bench.network.TransformerNetwork;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One line of the course that runs a network in one process.
 *
 * @param count how many examples or calls a step has
 */
record NetworkLine(
    String workload,
    Map<String, Object> parameters,
    Unit unit,
    int count,
    Supplier<Network> network) {
  private static final double SECONDS = 3;
  private static final int TURNS = 1000;
  private static final int ELEMENTS = 100_000;
  private static final int RECORDS = 20_000;
  private static final int IMAGES = 2_000;

  /** The unit of a line's figure. */
  enum Unit {
    EXAMPLES("examples/s", Better.MAX),
    CALLS("ns/call", Better.MIN);

    private final String text;
    private final Better better;

    Unit(String text, Better better) {
      this.text = text;
      this.better = better;
    }

    double of(double perSecond) {
      return this == EXAMPLES ? perSecond : 1e9 / perSecond;
    }
  }

  /** Returns the lines of a workload. */
  static List<NetworkLine> of(String workload) {
    LstmNetwork lstm = new LstmNetwork(128, 100, 32);
    TransformerNetwork transformer = new TransformerNetwork(256, 8, 128, 16);
    return switch (workload) {
      case "lstm" ->
          List.of(
              examples(workload, "inference", 32, lstm::inference),
              examples(workload, "training", 32, lstm::training));
      case "mobilenet" -> List.of(images(1), images(32));
      case "transformer" ->
          List.of(
              examples(workload, "inference", 16, transformer::inference),
              examples(workload, "training", 16, transformer::training));
      case "function-call" ->
          List.of(
              new NetworkLine(
                  workload,
                  Map.of("calls", TURNS),
                  Unit.CALLS,
                  TURNS,
                  () -> FunctionSteps.calls(TURNS)));
      case "function-loop" ->
          List.of(
              new NetworkLine(
                  workload,
                  Map.of("turns", TURNS),
                  Unit.CALLS,
                  TURNS,
                  () -> FunctionSteps.loop(TURNS)));
      case "data-map" -> List.of(mapped(0), mapped(2));
      case "data-records" ->
          List.of(
              examples(
                  workload, "parse, shuffle, batch", RECORDS, () -> DatasetSteps.records(RECORDS)));
      case "data-png" ->
          List.of(
              examples(workload, "decode, batch", IMAGES, () -> DatasetSteps.images(IMAGES, 2)));
      default -> throw new IllegalArgumentException("unknown workload '" + workload + "'");
    };
  }

  /** Each call is an element. */
  private static NetworkLine mapped(int calls) {
    return new NetworkLine(
        "data-map",
        Map.of("parallel calls", calls),
        Unit.CALLS,
        ELEMENTS,
        () -> DatasetSteps.map(ELEMENTS, calls));
  }

  private static NetworkLine images(int batch) {
    return examples(
        "mobilenet", "inference", batch, () -> new MobileNetwork(batch, 224, 32, 1000).inference());
  }

  private static NetworkLine examples(
      String workload, String what, int batch, Supplier<Network> network) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("what", what);
    parameters.put("batch", batch);
    return new NetworkLine(workload, parameters, Unit.EXAMPLES, batch, network);
  }

  /** Measures the line in a runtime. */
  Figure measure(Timing timing, NetworkStep.Runtime runtime) {
    try (NetworkStep step = runtime.open(network.get())) {
      timing.rate(SECONDS, step::run);
      double[] rounds = new double[timing.rounds()];
      for (int i = 0; i < rounds.length; i++) {
        rounds[i] = unit.of(count * timing.rate(SECONDS, step::run));
      }
      return new Figure(workload, parameters, unit.text, unit.better, rounds);
    }
  }

  /** Returns a workload of all lines of this name. */
  static Workload workload(String name, NetworkStep.Runtime runtime) {
    return (driver, timing) ->
        of(name).forEach(line -> driver.report(line.measure(timing, runtime)));
  }
}
