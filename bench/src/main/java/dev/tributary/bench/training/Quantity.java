package dev.tributary.bench.training;

import java.util.Optional;

/** Something that is measured, in the order of the table, with its unit and perhaps a goal. */
enum Quantity {
  MLP_ASYNC("mlp, 1 ps + 2 workers, asynchronous", "examples/s"),
  MLP_SYNC("mlp, 1 ps + 2 workers, SyncReplicasOptimizer", "examples/s"),
  MLP_RATIO("synchronous to asynchronous", "x", Goal.atLeast(0.75, "0.75")),
  DISK_WRITE("dd writes 1 GiB, with fsync", "MB/s"),
  SAVE("1 GiB over 2 ps is saved, with fsync", "MB/s"),
  SAVE_RATIO("save to dd", "x", Goal.atLeast(0.7, "0.70")),
  DISK_READ("dd reads 1 GiB that is not cached", "MB/s"),
  RESTORE("1 GiB over 2 ps is restored, not cached", "MB/s"),
  RESTORE_RATIO("restore to dd that writes", "x", Goal.atLeast(0.7, "0.70")),
  SAVE_BESIDE("1 GiB over 2 ps is saved beside training, with fsync", "MB/s"),
  STEP_BETWEEN("training step between saves", "ms"),
  STEP_DURING("training step during saves", "ms"),
  LONGEST_DURING("longest training step of a save", "ms"),
  SLOWDOWN("training step slowed by a save", "%", Goal.under(5, "5")),
  NOISE("training step after a save, slower than before it", "%"),
  DIGITS_ASYNC("digits, 2 ps + 3 workers, asynchronous: accuracy", "%", Goal.atLeast(97, "97")),
  DIGITS_ASYNC_AVERAGE("the same, using the average model", "%", Goal.atLeast(97, "97")),
  DIGITS_ASYNC_TIME("the same: the whole command", "s", Goal.under(90, "90")),
  DIGITS_SYNC("digits, 2 ps + 3 workers, synchronous: accuracy", "%", Goal.atLeast(97, "97")),
  DIGITS_SYNC_AVERAGE("the same, using the average model", "%", Goal.atLeast(97, "97")),
  DIGITS_SYNC_TIME("the same: the whole command", "s", Goal.under(90, "90")),
  MNIST_ASYNC(
      "MNIST, 1 ps + 2 workers, 2 epochs, asynchronous: accuracy", "%", Goal.atLeast(98.8, "98.8")),
  MNIST_ASYNC_AVERAGE("the same, using the average model", "%", Goal.atLeast(98.8, "98.8")),
  MNIST_ASYNC_TIME("the same: the whole command", "s"),
  MNIST_SYNC(
      "MNIST, 1 ps + 2 workers, 2 epochs, synchronous: accuracy", "%", Goal.atLeast(98.8, "98.8")),
  MNIST_SYNC_AVERAGE("the same, using the average model", "%", Goal.atLeast(98.8, "98.8")),
  MNIST_SYNC_TIME("the same: the whole command", "s");

  private final String title;
  private final String unit;
  private final Optional<Goal> goal;

  Quantity(String title, String unit) {
    this(title, unit, Optional.empty());
  }

  Quantity(String title, String unit, Goal goal) {
    this(title, unit, Optional.of(goal));
  }

  Quantity(String title, String unit, Optional<Goal> goal) {
    this.title = title;
    this.unit = unit;
    this.goal = goal;
  }

  String title() {
    return title;
  }

  String unit() {
    return unit;
  }

  Optional<Goal> goal() {
    return goal;
  }
}
