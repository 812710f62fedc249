package dev.tributary.bench.scale;

import java.util.Optional;

/** Something that a point tells, or that follows from several, with its unit. */
enum Quantity {
  NULL_STEP("step of two tasks", "us"),
  SPANNING_STEP("step of all tasks", "us"),
  FIRST_RUN("session and first step", "ms"),
  LATER_STEP("later step", "ms"),
  THREADS("threads, idle", ""),
  IDLE_HEAP("heap, idle", "MB"),
  IDLE_RESIDENT("resident, idle", "MB"),
  IDLE_RESIDENT_EACH("resident of each further task, idle", IDLE_RESIDENT),
  USED_RESIDENT("resident, after steps", "MB"),
  USED_RESIDENT_EACH("resident of each further task, after steps", USED_RESIDENT),
  OPEN_HEAP("heap, session open", "MB"),
  CLOSED_HEAP("heap, session closed", "MB");

  private final String title;
  private final String unit;
  private final Optional<Quantity> total;

  Quantity(String title, String unit) {
    this.title = title;
    this.unit = unit;
    total = Optional.empty();
  }

  Quantity(String title, Quantity total) {
    this.title = title;
    unit = total.unit;
    this.total = Optional.of(total);
  }

  String title() {
    return title;
  }

  /** Empty for a mere number. */
  String unit() {
    return unit;
  }

  /** The quantity whose growth this is; no point holds it by itself then. */
  Optional<Quantity> total() {
    return total;
  }
}
