package dev.tributary.train.optimizer;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.distribute.CrossReplicaContext;
import dev.tributary.train.distribute.ReplicaContext;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.VariableScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An optimizer that changes each variable where it is, helped by slots beside it: variables of the
 * same shape that remember earlier gradients.
 */
abstract sealed class SlotOptimizer implements Optimizer
    permits GradientDescentOptimizer,
        MomentumOptimizer,
        AdagradOptimizer,
        AdadeltaOptimizer,
        AdamOptimizer,
        RmsPropOptimizer,
        FtrlOptimizer {
  private final String name;
  private final Slots slots;

  SlotOptimizer(String name) {
    this.name = name;
    this.slots = new Slots(name);
  }

  @Override
  public final String name() {
    return name;
  }

  /** The slot of this name, such as {@code momentum}, that belongs to a variable, if it is made. */
  public final Optional<Variable> slot(Variable variable, String slotName) {
    return slots.find(variable, slotName);
  }

  /** Makes the slots that the variables lack, and says how they are to be changed. */
  abstract UpdateRule prepare(Slots slots, List<Variable> variables);

  @Override
  public final Operation applyGradients(
      VariableScope scope, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    slots.prefix(scope.prefix());
    return applyGradients(scope.tf(), gradients, globalStep);
  }

  @Override
  public final Operation applyGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    return apply(tf, gradients, globalStep, ReplicaGradients::sums);
  }

  @Override
  public final Operation applyAggregatedGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    return apply(tf, gradients, globalStep, ReplicaGradients::own);
  }

  private Operation apply(
      Ops tf,
      List<GradientAndVariable> gradients,
      Optional<Variable> globalStep,
      ReplicaGradients.Merge merge) {
    Optional<ReplicaContext> replica = ReplicaContext.current(tf.graph());
    if (replica.isPresent()) {
      return new ReplicaGradients(replica.get(), merge)
          .applied(tf, gradients, (all, places) -> updates(all, places, globalStep));
    }
    ReplicaGradients.requireUndistributed(name, gradients);
    List<GradientAndVariable> usable = usable(gradients);
    UpdateRule rule = prepare(slots, variables(usable));
    return collected(update(tf, rule, usable, globalStep));
  }

  private static Operation collected(Operation train) {
    train.graph().addToCollection(GraphKeys.TRAIN_OP, train);
    return train;
  }

  /** Makes the slots of all copies, and then updates each copy where it is. */
  private Operation updates(
      CrossReplicaContext cross, ReplicaGradients.Places places, Optional<Variable> globalStep) {
    UpdateRule rule = prepare(slots, variables(usable(places.gradients(0))));
    List<Operation> updates =
        cross.update(
            (copy, there) ->
                update(
                    places.scope(copy, there), rule, usable(places.gradients(copy)), globalStep));
    return collected(
        updates.size() == 1 ? updates.get(0) : cross.tf().withName("update").group(updates));
  }

  private List<GradientAndVariable> usable(List<GradientAndVariable> gradients) {
    List<GradientAndVariable> usable =
        gradients.stream().filter(GradientAndVariable::hasGradient).toList();
    if (usable.isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s: none of the variables has a gradient: %s",
          name, variables(gradients).stream().map(Variable::name).toList());
    }
    return usable;
  }

  private static List<Variable> variables(List<GradientAndVariable> gradients) {
    return gradients.stream().map(GradientAndVariable::variable).toList();
  }

  private Operation update(
      Ops tf, UpdateRule rule, List<GradientAndVariable> usable, Optional<Variable> globalStep) {
    Ops inner = tf.withSubScope(name);
    List<Operation> updates = new ArrayList<>();
    for (GradientAndVariable pair : usable) {
      updates.add(update(inner.withSubScope("update_" + pair.variable().name()), rule, pair));
    }
    updates.addAll(rule.finish(inner, List.copyOf(updates)));
    Operation updated = inner.withName("update").group(updates);
    return globalStep.map(step -> counted(inner, updated, step)).orElse(updated);
  }

  private static Operation update(Ops tf, UpdateRule rule, GradientAndVariable pair) {
    Variable variable = pair.variable();
    Ops beside = tf.colocatedWith(variable.handle().operation());
    GradientValue gradient = pair.gradient();
    return gradient instanceof IndexedSlices
        ? rule.sparse(beside, variable, withoutDuplicates(tf, (IndexedSlices) gradient))
        : rule.dense(beside, variable, (Output) gradient);
  }

  /**
   * Sums the rows with the same index. It is done where the gradient is, so that less of it goes to
   * the variable.
   */
  private static IndexedSlices withoutDuplicates(Ops tf, IndexedSlices slices) {
    List<Output> unique = tf.array.unique(slices.indices());
    Output summed =
        tf.math.unsortedSegmentSum(slices.values(), unique.get(1), tf.size(unique.get(0)));
    return new IndexedSlices(summed, unique.get(0), slices.denseShape());
  }

  private static Operation counted(Ops tf, Operation updated, Variable step) {
    Ops after = tf.withControlDependencies(updated).colocatedWith(step.handle().operation());
    return step.in(after).assignAdd(after.constant(step.type(), 1));
  }
}
