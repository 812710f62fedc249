package dev.tributary.bench.scale;

import java.util.List;
import java.util.Locale;

/** The size that grows from point to point, and the contents of its report. */
enum Growth {
  TASKS(
      Quantity.NULL_STEP,
      Quantity.SPANNING_STEP,
      Quantity.THREADS,
      Quantity.IDLE_HEAP,
      Quantity.IDLE_RESIDENT,
      Quantity.IDLE_RESIDENT_EACH,
      Quantity.USED_RESIDENT,
      Quantity.USED_RESIDENT_EACH),
  NODES(
      Quantity.FIRST_RUN,
      Quantity.LATER_STEP,
      Quantity.OPEN_HEAP,
      Quantity.CLOSED_HEAP,
      Quantity.USED_RESIDENT);

  private final List<Quantity> quantities;

  Growth(Quantity... quantities) {
    this.quantities = List.of(quantities);
  }

  /** In the order of a table's columns. */
  List<Quantity> quantities() {
    return quantities;
  }

  /** As it stands in text and in names of files. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
