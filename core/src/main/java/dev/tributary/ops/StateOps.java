package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Variables, by reference and as resources. */
public final class StateOps {
  private final Scope scope;

  StateOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
