package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Convolutions and pooling. */
public final class ConvOps {
  private final Scope scope;

  ConvOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
