package dev.tributary.bench;

/**
 * The time to measure, and the two ways to do it. Equal to what the peers do, so that figures
 * compare.
 *
 * @param rounds measurements of a figure, after one that warms up
 * @param scale the part of the defined length of a round: 1, or less for a trial
 */
public record Timing(int rounds, double scale) {
  /** The duration that the course's definition asks for. */
  public static final Timing COURSE = new Timing(5, 1);

  /** Runs for the time of a round; runs per second. */
  public double rate(double seconds, Runnable run) {
    long start = System.nanoTime();
    long runs = 0;
    long elapsed;
    do {
      run.run();
      runs++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < seconds * scale * 1e9);
    return runs / (elapsed / 1e9);
  }

  /** Runs as many times as a round asks for, each by itself. */
  public Singles singles(int count, Runnable run) {
    double[] micros = new double[(int) Math.max(1, count * scale)];
    for (int i = 0; i < micros.length; i++) {
      long start = System.nanoTime();
      run.run();
      micros[i] = (System.nanoTime() - start) / 1e3;
    }
    return new Singles(micros);
  }
}
