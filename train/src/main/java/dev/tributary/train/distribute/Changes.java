package dev.tributary.train.distribute;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableCopies.Change;

/** Changes of single copies of a variable. */
final class Changes {
  private Changes() {}

  static Operation apply(Variable copy, Change change, Operand value) {
    return switch (change) {
      case ASSIGN -> copy.assign(value);
      case ADD -> copy.assignAdd(value);
      case SUBTRACT -> copy.assignSub(value);
    };
  }
}
