package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableCreator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The strategy that distributes a graph, the part of the program that builds the graph at present,
 * and the variables that the strategy has made. There are three such parts: a replica, the update
 * of one copy of the variables, and code outside of both.
 *
 * <p>Confined to the thread that builds the graph. The threads of replicas take turns, so that one
 * of them is that thread at a time.
 */
final class Distribution {
  /** As in TensorFlow; lower ones are free for programs. */
  private static final int FIRST_INSTANCE = 100;

  private final Graph graph;
  private final Map<Output, Strategy> owners = new HashMap<>();
  private Optional<Strategy> strategy = Optional.empty();
  private int depth;
  private int instances = FIRST_INSTANCE;
  private Optional<ReplicaContext> replica = Optional.empty();
  private OptionalInt updated = OptionalInt.empty();

  private Distribution(Graph graph) {
    this.graph = graph;
  }

  static Distribution of(Graph graph) {
    return graph.extension(Distribution.class, () -> new Distribution(graph));
  }

  Optional<Strategy> strategy() {
    return strategy;
  }

  Optional<ReplicaContext> replica() {
    return replica;
  }

  /** The copy of variables that is being updated, if one is. */
  OptionalInt updated() {
    return updated;
  }

  void enter(Strategy entered) {
    if (strategy.isPresent() && strategy.get() != entered) {
      throw TributaryException.failedPrecondition(
          "the scope of %s is opened in that of %s: a graph has one strategy at a time, close the"
              + " other scope first",
          entered, strategy.get());
    }
    strategy = Optional.of(entered);
    if (depth++ == 0) {
      VariableCreator.set(graph, Optional.of(new DistributedCreator(this, entered)));
    }
  }

  void leave() {
    if (--depth == 0) {
      strategy = Optional.empty();
      VariableCreator.set(graph, Optional.empty());
    }
  }

  /** Runs a part of the program as the part of one replica, or outside of replicas. */
  void switchTo(Optional<ReplicaContext> next) {
    replica = next;
  }

  /** Runs a part of the program as the update of one copy of the variables. */
  <R> R updating(int copy, Supplier<R> program) {
    Optional<ReplicaContext> before = replica;
    replica = Optional.empty();
    updated = OptionalInt.of(copy);
    try {
      return program.get();
    } finally {
      updated = OptionalInt.empty();
      replica = before;
    }
  }

  /** Returns the key of the next collective, which is the same in all workers' graphs. */
  int nextInstance() {
    return instances++;
  }

  void own(Variable copy, Strategy owner) {
    owners.put(copy.handle(), owner);
  }

  boolean owns(Variable copy) {
    return owners.containsKey(copy.handle());
  }

  /** Fails unless a variable's strategy is the one whose replica or update runs at present. */
  void requireOwn(Variable first) {
    Strategy owner = owners.get(first.handle());
    if ((replica.isPresent() || updated.isPresent()) && strategy.get() != owner) {
      throw TributaryException.failedPrecondition(
          "variable '%s' belongs to %s and cannot be used in a replica of %s: create it in the"
              + " scope of the strategy that runs the replica",
          first.name(), owner, strategy.get());
    }
  }

  Ops root() {
    return new Ops(graph.scope());
  }
}
