package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Ops that cut, gather, scatter, pad and rearrange parts of tensors. */
public final class SliceOps {
  private final Scope scope;

  SliceOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
