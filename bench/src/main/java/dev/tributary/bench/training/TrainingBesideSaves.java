package dev.tributary.bench.training;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Trains without a pause while a thread saves now and then: what a step takes during saves and
 * between them. A step belongs to where it begins.
 *
 * @param warmUpSeconds of training before anything counts
 */
record TrainingBesideSaves(CheckpointModel model, Disk disk, int rounds, double warmUpSeconds) {
  Map<Quantity, List<Double>> measure() {
    Map<Quantity, List<Double>> values = new EnumMap<>(Quantity.class);
    steps(warmUpSeconds);
    double seconds = warmUpSeconds;
    for (int i = 0; i < rounds; i++) {
      Path prefix = disk.folder().resolve("background.ckpt-" + i);
      // As long before the save as the last one took, and as long after: drifts cancel out.
      List<Double> before = steps(seconds / 2);
      List<Double> during = new ArrayList<>();
      double rate = disk.rate(() -> during.addAll(stepsDuring(() -> model.save(prefix))));
      seconds = sum(during) / 1e3;
      List<Double> after = steps(seconds / 2);
      List<Double> between = new ArrayList<>(before);
      between.addAll(after);
      add(values, Quantity.SAVE_BESIDE, rate);
      add(values, Quantity.STEP_BETWEEN, mean(between));
      add(values, Quantity.STEP_DURING, mean(during));
      add(values, Quantity.LONGEST_DURING, during.stream().max(Double::compare).orElseThrow());
      add(values, Quantity.SLOWDOWN, 100 * (mean(during) / mean(between) - 1));
      // Nothing is saved in either: what differs is the machine, and so much a slow-down may err.
      add(values, Quantity.NOISE, 100 * (mean(after) / mean(before) - 1));
    }
    return values;
  }

  /** Trains for that time; what each step took, in ms. */
  private List<Double> steps(double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    List<Double> millis = new ArrayList<>();
    do {
      millis.add(step());
    } while (System.nanoTime() < end);
    return millis;
  }

  /** Trains until a save that runs beside it is over; what each step took, in ms. */
  private List<Double> stepsDuring(Runnable save) {
    List<Double> millis = new ArrayList<>();
    RuntimeException[] failure = new RuntimeException[1];
    Thread thread =
        new Thread(
            () -> {
              try {
                save.run();
              } catch (RuntimeException e) {
                failure[0] = e;
              }
            },
            "save");
    thread.start();
    while (thread.isAlive()) {
      millis.add(step());
    }
    if (failure[0] != null) {
      throw failure[0];
    }
    return millis;
  }

  private double step() {
    long start = System.nanoTime();
    model.train();
    return (System.nanoTime() - start) / 1e6;
  }

  private static void add(Map<Quantity, List<Double>> values, Quantity quantity, double value) {
    values.computeIfAbsent(quantity, key -> new ArrayList<>()).add(value);
  }

  private static double mean(List<Double> values) {
    return sum(values) / values.size();
  }

  private static double sum(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }
}
