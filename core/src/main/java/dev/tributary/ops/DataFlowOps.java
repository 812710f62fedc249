package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Stacks, tensor arrays and stitching: data structures that live for a step. */
public final class DataFlowOps {
  private final Scope scope;

  DataFlowOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
