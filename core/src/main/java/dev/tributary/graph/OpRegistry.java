package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The ops that graphs may use, by name. Immutable; graphs are given one and ask for no other. */
public final class OpRegistry {
  private final Map<String, OpDeclaration> declarations;

  public OpRegistry(Collection<OpDeclaration> all) {
    Map<String, OpDeclaration> byName = new TreeMap<>();
    for (OpDeclaration declaration : all) {
      if (byName.put(declaration.name(), declaration) != null) {
        throw TributaryException.internal("op %s is declared twice", declaration.name());
      }
    }
    declarations = Collections.unmodifiableMap(byName);
  }

  public Optional<OpDeclaration> find(String op) {
    return Optional.ofNullable(declarations.get(op));
  }

  /** The declaration of an op; NOT_FOUND names the ones that are spelt alike. */
  public OpDeclaration lookup(String op) {
    OpDeclaration declaration = declarations.get(op);
    if (declaration == null) {
      throw TributaryException.notFound(
          "op type '%s' is not registered; ops with a like name: %s", op, alike(op));
    }
    return declaration;
  }

  /** All of them, sorted by name. */
  public Collection<OpDeclaration> all() {
    return declarations.values();
  }

  private java.util.List<String> alike(String op) {
    String start = op.substring(0, Math.min(3, op.length())).toLowerCase(java.util.Locale.ROOT);
    return declarations.keySet().stream()
        .filter(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith(start))
        .limit(10)
        .toList();
  }
}
