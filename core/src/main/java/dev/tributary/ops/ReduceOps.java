package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Reductions, scans and segment sums. */
public final class ReduceOps {
  private final Scope scope;

  ReduceOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
