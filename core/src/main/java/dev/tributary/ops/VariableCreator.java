package dev.tributary.ops;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes the variables of a graph in place of the plain way, as a distribution strategy does:
 * TensorFlow's {@code variable_creator_scope}. A graph has one creator at a time, or none.
 */
public interface VariableCreator {
  /** Makes the variable that a program asks for. */
  Variable create(Ops tf, VariableDefinition definition, Function<Ops, Output> initialValue);

  /**
   * Returns whether the program builds the same part of a model again, for another replica, so that
   * variables that were made for the first one are found instead of made.
   */
  boolean repeats();

  /**
   * Returns the name of a new scope. A program that repeats gets the names that it got before.
   *
   * @param unused chooses a name that is not in use yet
   */
  String scopeName(String wanted, Supplier<String> unused);

  /** Fails if the program must not change a variable that this creator has not made. */
  void requireChangeable(Variable variable);

  /** Returns the creator of a graph, if it has one. */
  static Optional<VariableCreator> of(Graph graph) {
    return graph.extension(PresentCreator.class, PresentCreator::new).creator();
  }

  /** Sets the creator of a graph. */
  static void set(Graph graph, Optional<VariableCreator> creator) {
    graph.extension(PresentCreator.class, PresentCreator::new).set(creator);
  }
}
