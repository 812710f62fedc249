package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.List;

/**
 * The copies of a distributed variable, and the rules by which a program reads and changes them.
 * The rules depend on the part of the program that builds the graph at the moment: the function of
 * one replica, or code outside of replicas.
 */
public interface VariableCopies {
  /** The ways to change a variable. */
  enum Change {
    ASSIGN,
    ADD,
    SUBTRACT
  }

  /** Returns all copies, the first one first. */
  List<Variable> all();

  VariableSynchronization synchronization();

  VariableAggregation aggregation();

  /** Returns the copy that stands for the variable at present. */
  Variable present();

  /** Returns the value by a read that all its users share. */
  Output value();

  /** Returns the value after the control dependencies of a scope. */
  Output read(Ops tf);

  Operation change(Ops tf, Change change, Operand value);
}
