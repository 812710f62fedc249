package dev.tributary.bench.jmh;

import dev.tributary.bench.Singles;
import dev.tributary.session.ProcessTuning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The share of oneDNN's speed that a session reaches. Both run in turn in one process, a moment
 * each, since the machine's speed changes within seconds; the share is that of each pair of
 * moments.
 */
public final class BesideOneDnn {
  private static final int ROUNDS = 41;
  private static final double MOMENT_NANOS = 5e7;
  private static final double WARM_UP_NANOS = 1.5e9;

  private BesideOneDnn() {}

  public static void main(String[] arguments) {
    ProcessTuning.apply();
    System.out.println("| op | session (us) | oneDNN (us) | share of oneDNN's speed | goal |");
    System.out.println("|---|--:|--:|--:|---|");
    for (int size : new int[] {512, 1024, 2048}) {
      gemm(size);
    }
    for (ElementWiseBenchmark.Op op : ElementWiseBenchmark.Op.values()) {
      for (int elements : new int[] {1 << 16, 1 << 22}) {
        elementWise(op, elements);
      }
    }
  }

  private static void gemm(int size) {
    GemmBenchmark benchmark = new GemmBenchmark();
    benchmark.size = size;
    benchmark.open();
    measure("matmul, " + size, 95, benchmark::session, benchmark::onednn);
    benchmark.close();
  }

  private static void elementWise(ElementWiseBenchmark.Op op, int elements) {
    ElementWiseBenchmark benchmark = new ElementWiseBenchmark();
    benchmark.op = op;
    benchmark.elements = elements;
    benchmark.open();
    String name = op.name().toLowerCase(Locale.ROOT) + ", " + elements + " floats";
    measure(name, 90, benchmark::session, benchmark::onednn);
    benchmark.close();
  }

  private static void measure(String name, int goal, Runnable session, Runnable library) {
    int sessionCalls = callsIn(session);
    int libraryCalls = callsIn(library);
    double[] ours = new double[ROUNDS];
    double[] theirs = new double[ROUNDS];
    double[] shares = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      ours[i] = micros(session, sessionCalls);
      theirs[i] = micros(library, libraryCalls);
      shares[i] = 100 * theirs[i] / ours[i];
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %,.1f | %,.1f | %.0f %% | at least %d %% |%n",
        name,
        new Singles(ours).median(),
        new Singles(theirs).median(),
        new Singles(shares).median(),
        goal);
  }

  /** Warms up, and tells how many calls a moment holds. */
  private static int callsIn(Runnable call) {
    List<Double> micros = new ArrayList<>();
    long start = System.nanoTime();
    while (System.nanoTime() - start < WARM_UP_NANOS) {
      micros.add(micros(call, 1));
    }
    double median = new Singles(micros.stream().mapToDouble(d -> d).toArray()).median();
    return (int) Math.max(1, MOMENT_NANOS / 1e3 / median);
  }

  private static double micros(Runnable call, int calls) {
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    return (System.nanoTime() - start) / 1e3 / calls;
  }
}
