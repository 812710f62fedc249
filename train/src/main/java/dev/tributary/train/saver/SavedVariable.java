package dev.tributary.train.saver;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.Collections;

/**
 * A variable and the name under which a checkpoint holds it. Parts of a partitioned variable have
 * the name of the whole.
 */
record SavedVariable(String name, Variable variable) implements Saveable {
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

  @Override
  public DataType type() {
    return variable.type();
  }

  @Override
  public Output resource() {
    return variable.handle();
  }

  @Override
  public Output value(Ops tf) {
    return variable.value();
  }

  @Override
  public Operation restore(Ops beside, Output value) {
    return variable.in(beside).assign(value);
  }

  @Override
  public String saveSpec() {
    return variable.slice().map(VariableSlice::spec).orElse("");
  }

  /**
   * Has the shape of a whole variable, too, so that another shape in the checkpoint is an error
   * that names the variable.
   */
  @Override
  public String restoreSpec() {
    Shape shape = variable.shape();
    boolean isPart = variable.slice().filter(slice -> !slice.isWhole()).isPresent();
    if (isPart || shape.rank() == 0 || !shape.isFullyDefined()) {
      return saveSpec();
    }
    StringBuilder text = new StringBuilder();
    for (long size : shape.toArray()) {
      text.append(size).append(' ');
    }
    return text + String.join(":", Collections.nCopies(shape.rank(), "-"));
  }
}
