package dev.tributary.train.optimizer;

import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableCopies;
import dev.tributary.train.distribute.CrossReplicaContext;
import dev.tributary.train.distribute.PerReplica;
import dev.tributary.train.distribute.ReplicaContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The gradients of the replicas of a strategy, and the update of all copies of the variables. */
record ReplicaGradients(ReplicaContext replica, Merge merge) {
  /** The way from the gradients of the replicas to those of the copies of each variable. */
  @FunctionalInterface
  interface Merge {
    List<List<GradientValue>> of(CrossReplicaContext cross, List<List<GradientValue>> gradients);
  }

  /** The gradients of one replica, and an operation that waits for the conditions of its scope. */
  private record Part(List<GradientAndVariable> gradients, Operation conditions) {}

  /**
   * The gradients for each copy of the variables, which wait for the conditions of all replicas.
   */
  record Places(
      List<Variable> variables, List<List<GradientValue>> merged, Operation[] conditions) {
    List<GradientAndVariable> gradients(int copy) {
      return IntStream.range(0, variables.size())
          .mapToObj(i -> new GradientAndVariable(merged.get(i).get(copy), variables.get(i)))
          .toList();
    }

    /** Names the operations on the first copy as a program without a strategy does. */
    Ops scope(int copy, Ops there) {
      Ops named = copy == 0 ? there : there.withSubScope("replica_" + copy);
      return named.withControlDependencies(conditions);
    }
  }

  static List<List<GradientValue>> sums(
      CrossReplicaContext cross, List<List<GradientValue>> gradients) {
    return cross.sumGradients(gradients);
  }

  /** Gradients that are the same in all replicas. */
  static List<List<GradientValue>> own(
      CrossReplicaContext cross, List<List<GradientValue>> gradients) {
    return gradients;
  }

  /** Adds the updates of all copies, by the gradients of all replicas. */
  Operation applied(
      Ops tf,
      List<GradientAndVariable> gradients,
      BiFunction<CrossReplicaContext, Places, Operation> update) {
    return replica.mergeCall(
        new Part(List.copyOf(gradients), tf.group(List.of())),
        (cross, parts) -> {
          Operation train = update.apply(cross, places(cross, parts.values()));
          return PerReplica.same(parts.size(), train);
        });
  }

  private Places places(CrossReplicaContext cross, List<Part> parts) {
    List<Variable> variables =
        parts.get(0).gradients().stream().map(GradientAndVariable::variable).toList();
    parts.forEach(part -> requireSame(variables, part));
    parts.get(0).gradients().forEach(ReplicaGradients::requireDistributed);
    List<List<GradientValue>> byVariable = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      int place = i;
      byVariable.add(parts.stream().map(part -> part.gradients().get(place).gradient()).toList());
    }
    return new Places(
        variables,
        merge.of(cross, byVariable),
        parts.stream().map(Part::conditions).toArray(Operation[]::new));
  }

  private static void requireSame(List<Variable> variables, Part part) {
    List<String> first = variables.stream().map(Variable::name).toList();
    List<String> own = part.gradients().stream().map(pair -> pair.variable().name()).toList();
    if (!own.equals(first)) {
      throw TributaryException.invalidArgument(
          "the replicas have gradients of different variables, %s and %s: each must apply those of"
              + " the same variables in the same order",
          first, own);
    }
  }

  /**
   * Returns the gradients of the losses of all replicas by the variables of each. Losses that share
   * values across replicas depend on the variables of all of them, so one sum is differentiated.
   */
  static List<GradientAndVariable> ofAllLosses(
      ReplicaContext replica, Operand loss, List<Variable> variables) {
    return replica.mergeCall(
        loss.asOutput(),
        (cross, losses) -> {
          List<Variable> copies = variables.stream().flatMap(v -> copies(v).stream()).toList();
          List<GradientValue> all = Gradients.of(cross.tf(), losses.values(), copies);
          List<List<GradientAndVariable>> shares = new ArrayList<>();
          losses.values().forEach(each -> shares.add(new ArrayList<>()));
          int next = 0;
          for (Variable variable : variables) {
            int count = copies(variable).size();
            for (int i = 0; i < losses.size(); i++) {
              GradientValue share = i < count ? all.get(next + i) : GradientValue.none();
              shares.get(i).add(new GradientAndVariable(share, variable));
            }
            next += count;
          }
          return PerReplica.of(shares);
        });
  }

  private static List<Variable> copies(Variable variable) {
    return variable.copies().map(VariableCopies::all).orElse(List.of(variable));
  }

  /** Fails for a variable that replicas share without a rule for their updates. */
  private static void requireDistributed(GradientAndVariable pair) {
    if (pair.hasGradient() && pair.variable().copies().isEmpty()) {
      throw TributaryException.failedPrecondition(
          "variable '%s' was created outside of the scope of the strategy whose replicas update it:"
              + " create it in a strategy.scope(..)",
          pair.variable().name());
    }
  }

  /** Fails for variables of a strategy, which replicas must update. */
  static void requireUndistributed(String optimizer, List<GradientAndVariable> gradients) {
    for (GradientAndVariable pair : gradients) {
      if (pair.variable().copies().isPresent()) {
        throw TributaryException.failedPrecondition(
            "%s: variable '%s' belongs to a distribution strategy and is updated outside of its"
                + " replicas: apply gradients in the function that strategy.run(..) calls",
            optimizer, pair.variable().name());
      }
    }
  }
}
