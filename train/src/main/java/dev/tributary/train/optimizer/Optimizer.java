package dev.tributary.train.optimizer;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.distribute.ReplicaContext;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adds training steps to a graph. Between computing and applying, gradients can be changed:
 *
 * <pre>{@code
 * Optimizer optimizer = new AdamOptimizer(1e-3);
 * List<GradientAndVariable> gradients = optimizer.computeGradients(tf, loss);
 * Operation train = optimizer.applyGradients(tf, GradientClipping.byGlobalNorm(tf, gradients, 5), globalStep);
 * }</pre>
 *
 * or {@code optimizer.minimize(loss, globalStep)} for all at once. Optimizers are confined to the
 * thread that builds the graph, and serve one graph.
 */
public interface Optimizer {
  /** The name that its slots and operations are named after. */
  String name();

  /**
   * One operation that changes the variables by their gradients and then counts the step.
   *
   * @param globalStep the counter, if there is one
   */
  Operation applyGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<Variable> globalStep);

  /**
   * One operation that changes the variables by their gradients, with slots that are called as
   * TensorFlow calls those of an optimizer that is used within a variable scope: their names begin
   * with the scope's prefix, which the variables' names have already.
   *
   * @param scope the scope of slots and operations
   */
  default Operation applyGradients(
      VariableScope scope, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    return applyGradients(scope.tf(), gradients, globalStep);
  }

  default Operation applyGradients(Ops tf, List<GradientAndVariable> gradients) {
    return applyGradients(tf, gradients, Optional.empty());
  }

  default Operation applyGradients(
      Ops tf, List<GradientAndVariable> gradients, Variable globalStep) {
    return applyGradients(tf, gradients, Optional.of(globalStep));
  }

  /**
   * Applies gradients that are the same in all replicas of a distribution strategy already, because
   * {@link GradientAggregation} has summed them. Without a strategy it does what {@link
   * #applyGradients} does.
   */
  default Operation applyAggregatedGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    return applyGradients(tf, gradients, globalStep);
  }

  /** The gradients of the loss by all trainable variables. */
  default List<GradientAndVariable> computeGradients(Ops tf, Operand loss) {
    return computeGradients(tf, loss, Variables.trainable(tf.graph()));
  }

  default List<GradientAndVariable> computeGradients(
      Ops tf, Operand loss, List<Variable> variables) {
    Optional<ReplicaContext> replica =
        ReplicaContext.current(tf.graph()).filter(ReplicaContext::isConnected);
    if (replica.isPresent()) {
      return ReplicaGradients.ofAllLosses(replica.get(), loss, variables);
    }
    List<GradientValue> gradients = Gradients.of(tf, List.of(loss), variables);
    List<GradientAndVariable> pairs = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      pairs.add(new GradientAndVariable(gradients.get(i), variables.get(i)));
    }
    return pairs;
  }

  /** Returns an operation that makes a step down the gradient of the loss. */
  default Operation minimize(Operand loss) {
    return minimize(new Ops(loss.asOutput().graph().scope()), loss);
  }

  /** Returns an operation that makes a step down the gradient of the loss and counts it. */
  default Operation minimize(Operand loss, Variable globalStep) {
    return minimize(new Ops(loss.asOutput().graph().scope()), loss, globalStep);
  }

  /** Returns an operation that makes a step, with the names, devices and conditions of a scope. */
  default Operation minimize(Ops tf, Operand loss) {
    return applyGradients(tf, computeGradients(tf, loss));
  }

  default Operation minimize(Ops tf, Operand loss, Variable globalStep) {
    return applyGradients(tf, computeGradients(tf, loss), globalStep);
  }
}
