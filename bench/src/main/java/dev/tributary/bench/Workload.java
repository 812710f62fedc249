package dev.tributary.bench;

/** Something to measure, as the peers' README defines it. */
interface Workload {
  /** Warms up, measures, and reports a figure or more. */
  void run(Driver driver, Timing timing);
}
