package dev.tributary.bench;

import dev.tributary.bench.network.Network;
import dev.tributary.session.ProcessTuning;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The peer for stock TensorFlow on the course's networks: {@code bench WORKLOAD} measures it, and
 * {@code check WORKLOAD} compares what it computes with what Tributary computes. The script {@code
 * bench/course} runs both. {@code beside WORKLOAD} measures both runtimes in this process, in short
 * rounds that alternate, for a machine that is busy with other work.
 */
final class StockPeer {
  private static final float TOLERANCE = 1e-3f;

  private StockPeer() {}

  public static void main(String[] arguments) {
    ProcessTuning.apply(); // As the command has it; stock does not use what this sets.
    String workload = arguments[1];
    switch (arguments[0]) {
      case "bench" -> measure(workload).run(new Driver(System.in, System.out), Timing.COURSE);
      case "check" -> check(workload);
      case "beside" ->
          NetworkLine.of(workload)
              .forEach(line -> System.out.println(workload + ": " + BesideStock.measure(line)));
      default -> throw new IllegalArgumentException("bench, check or beside, not " + arguments[0]);
    }
    System.out.flush();
    Runtime.getRuntime().halt(0); // Threads of stock's sessions do not end by themselves.
  }

  private static Workload measure(String workload) {
    return workload.equals(ModelLoad.NAME)
        ? ModelLoad.course(StockStep::ofModel)
        : NetworkLine.workload(workload, StockStep::of);
  }

  private static void check(String workload) {
    if (!workload.equals(ModelLoad.NAME)) { // That one checks its own value.
      NetworkLine.of(workload)
          .forEach(line -> System.err.println(workload + ": " + compared(line.network())));
    }
  }

  /**
   * Runs two steps of a network here and there, and fails unless they fetch about the same. The
   * second step shows what the first did to the variables.
   */
  static String compared(Supplier<Network> network) {
    Network built = network.get();
    float[] ours;
    try (NetworkStep step = NetworkStep.tributary(built)) {
      step.run();
      ours = step.fetch();
    }
    try (NetworkStep step = StockStep.of(built)) {
      step.run();
      return compared(ours, step.fetch());
    }
  }

  private static String compared(float[] ours, float[] stock) {
    if (ours.length != stock.length) {
      throw new IllegalStateException(
          "%d values, stock has %d".formatted(ours.length, stock.length));
    }
    float largest = 0;
    float apart = 0;
    for (int i = 0; i < stock.length; i++) {
      largest = Math.max(largest, Math.abs(stock[i]));
      apart = Math.max(apart, Math.abs(ours[i] - stock[i]));
    }
    if (!(apart <= TOLERANCE * largest) || largest == 0) {
      throw new IllegalStateException(
          "%d values up to %s differ from stock's by up to %s"
              .formatted(ours.length, largest, apart));
    }
    return String.format(
        Locale.ROOT, "%d values up to %s, at most %s apart", ours.length, largest, apart);
  }
}
