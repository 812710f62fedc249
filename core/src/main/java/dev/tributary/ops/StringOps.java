package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import java.util.List;

/** Strings, and what graphs print, check and time. */
public final class StringOps {
  private final Scope scope;

  StringOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of();
  }
}
