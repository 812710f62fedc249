package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * Gradients of control-flow primitives that stand alone. Those of conds and loops built by this
 * library are the business of the gradients package, which sees them as wholes.
 */
final class FlowGradients {
  private FlowGradients() {}

  /** Whichever branch is taken brings its gradient. */
  static List<GradientValue> ofSwitch(Scope scope, Operation op, List<? extends GradientValue> dy) {
    if (dy.stream().anyMatch(GradientValue.None.class::isInstance)) {
      return List.of(GradientValue.none(), GradientValue.none());
    }
    Output ifFalse = branch(scope, (Output) dy.get(0), op.input(1), 0);
    Output ifTrue = branch(scope, (Output) dy.get(1), op.input(1), 1);
    return List.of(
        scope.operation("Merge").inputList(List.of(ifFalse, ifTrue)).buildOutput(),
        GradientValue.none());
  }

  /** The gradient goes to the input that was taken. */
  static List<GradientValue> ofMerge(Scope scope, Operation op, List<? extends GradientValue> dy) {
    Ops tf = new Ops(scope);
    List<GradientValue> shares = new ArrayList<>();
    for (int i = 0; i < op.inputs().size(); i++) {
      Output taken =
          scope.operation("Equal").input(op.output(1)).input(tf.constant(i)).buildOutput();
      shares.add(branch(scope, (Output) dy.get(0), taken, 1));
    }
    return shares;
  }

  static List<GradientValue> ofBareLoop(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    throw TributaryException.unimplemented(
        "%s belongs to a loop of which only the nodes are known; gradients go through loops made by"
            + " whileLoop",
        op);
  }

  private static Output branch(Scope scope, Output gradient, Output predicate, int which) {
    return scope.operation("Switch").input(gradient).input(predicate).build().output(which);
  }
}
