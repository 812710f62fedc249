package dev.tributary.train.saver;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.Optional;
import java.util.OptionalInt;

/** A tensor of a checkpoint, and where its value comes from and goes to. */
sealed interface Saveable permits SavedVariable, SavedIterator {
  /** The name under which a checkpoint holds it. */
  String name();

  DataType type();

  /** The shape and slice argument of {@code SaveV2}. */
  default String saveSpec() {
    return "";
  }

  /** The shape and slice argument of {@code RestoreV2}. */
  default String restoreSpec() {
    return "";
  }

  /** The resource that has the value. */
  Output resource();

  /** The value to save. */
  Output value(Ops tf);

  /** Adds the operation that takes over a value from a checkpoint. */
  Operation restore(Ops beside, Output value);

  /** The task that holds the resource. */
  default DeviceSpec task() {
    DeviceSpec device = resource().operation().device();
    return new DeviceSpec(
        device.job(), device.replica(), device.task(), Optional.empty(), OptionalInt.empty());
  }
}
