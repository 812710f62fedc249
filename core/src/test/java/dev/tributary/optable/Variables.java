package dev.tributary.optable;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph with some variables of one kind, for scripts that set them up, change them and look at
 * them.
 */
final class Variables {
  /** Behind reference edges, or behind resource handles. */
  enum Kind {
    REFERENCE,
    RESOURCE
  }

  final Ops tf = Ops.create();
  private final Kind kind;
  private final List<Output> values = new ArrayList<>();
  private final List<Operation> initializers = new ArrayList<>();

  Variables(Kind kind) {
    this.kind = kind;
  }

  /** Adds a variable with this first value; gives its reference or handle. */
  Output add(Tensor value) {
    DataType type = value.type();
    Output variable =
        kind == Kind.REFERENCE
            ? tf.state.variableV2(type, value.shape())
            : tf.state.varHandleOp(type, value.shape(), "v" + values.size());
    Output initial = Constants.taking(tf, value);
    if (kind == Kind.REFERENCE) {
      initializers.add(tf.state.assign(variable, initial).operation());
      values.add(variable);
    } else {
      initializers.add(tf.state.assignVariableOp(variable, initial));
      values.add(tf.state.readVariableOp(variable, type));
    }
    return variable;
  }

  /** A script that has set up all variables. */
  Script start() {
    return Script.on(tf).run(initializers.toArray(new Operation[0]));
  }

  /** Looks at all variables. */
  Script look(Script script) {
    return script.fetch(values.toArray(new Output[0]));
  }

  /** Sets up all variables, then runs an update some times and looks at all of them after each. */
  Script updated(Operation update, int times) {
    Script script = start();
    for (int i = 0; i < times; i++) {
      look(script.run(update));
    }
    return script;
  }
}
