package dev.tributary.train.optimizer;

import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import java.util.List;

/** Changes variables for an optimizer in one training step. */
interface UpdateRule {
  /** Changes a variable; {@code tf} is beside it. */
  Operation dense(Ops tf, Variable variable, Output gradient);

  /** Changes some rows of a variable, each named once; {@code tf} is beside it. */
  Operation sparse(Ops tf, Variable variable, IndexedSlices gradient);

  /** Returns operations to run after {@code updates} have changed all variables. */
  default List<Operation> finish(Ops tf, List<Operation> updates) {
    return List.of();
  }
}
