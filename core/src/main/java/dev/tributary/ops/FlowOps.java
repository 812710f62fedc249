package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Control flow: the primitives, and cond and while loops made of them. */
public final class FlowOps {
  private final Scope scope;

  FlowOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
