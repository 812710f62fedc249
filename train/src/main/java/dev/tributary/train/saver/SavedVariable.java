package dev.tributary.train.saver;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.Shape;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A variable and the name under which a checkpoint holds it. Parts of a partitioned variable have
 * the name of the whole.
 */
record SavedVariable(String name, Variable variable) {
  /** Under a name that begins with the variable's own or with any other. */
  static SavedVariable of(String name, Variable variable) {
    String own = variable.name();
    boolean isOwn = name.equals(own) || name.startsWith(own + "/");
    return variable
        .slice()
        .filter(slice -> isOwn)
        .map(slice -> new SavedVariable(slice.fullName() + name.substring(own.length()), variable))
        .orElseGet(() -> new SavedVariable(name, variable));
  }

  /** Returns the shape and slice argument of {@code SaveV2}. */
  String saveSpec() {
    return variable.slice().map(VariableSlice::spec).orElse("");
  }

  /**
   * Returns the shape and slice argument of {@code RestoreV2}. It has the shape of a whole
   * variable, too, so that another shape in the checkpoint is an error that names the variable.
   */
  String restoreSpec() {
    Shape shape = variable.shape();
    if (variable.slice().isPresent() || shape.rank() == 0 || !shape.isFullyDefined()) {
      return saveSpec();
    }
    StringBuilder text = new StringBuilder();
    for (long size : shape.toArray()) {
      text.append(size).append(' ');
    }
    return text + String.join(":", Collections.nCopies(shape.rank(), "-"));
  }

  /** The task that holds the variable. */
  DeviceSpec task() {
    DeviceSpec device = variable.handle().operation().device();
    return new DeviceSpec(
        device.job(), device.replica(), device.task(), Optional.empty(), OptionalInt.empty());
  }
}
