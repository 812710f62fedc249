package dev.tributary.ops;

import java.util.Optional;

/** The creator of variables that a graph has at the moment, if it has one. Safe for threads. */
final class PresentCreator {
  private volatile Optional<VariableCreator> creator = Optional.empty();

  Optional<VariableCreator> creator() {
    return creator;
  }

  void set(Optional<VariableCreator> newCreator) {
    creator = newCreator;
  }
}
