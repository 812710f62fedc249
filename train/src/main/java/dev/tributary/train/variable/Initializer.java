package dev.tributary.train.variable;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;

/** Makes the initial value of a variable, or of a part of one. */
@FunctionalInterface
public interface Initializer {
  /**
   * A value of {@code slice.shape()}.
   *
   * @param tf a scope beside the variable
   * @param slice the part of a variable to initialize; the scale may depend on the whole
   */
  Output initialValue(Ops tf, DataType type, VariableSlice slice);
}
