package dev.tributary.internal.op;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The ops that graphs may use, by name; graphs are given one and ask for no other. They come in
 * families, and a family is asked for its declarations when an op is looked for that none before it
 * has: hundreds of them take a while, and a program uses a few. To who asks, a registry never
 * changes. Its own monitor guards the families that have not been asked, and is held while one is,
 * so a family must not ask the registry back. Safe for use by many threads.
 */
public final class OpRegistry {
  private final Map<String, OpDeclaration> declared = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private final Queue<Supplier<? extends Collection<OpDeclaration>>> families;

  /** A registry of what is declared already. */
  public OpRegistry(Collection<OpDeclaration> all) {
    families = new ArrayDeque<>();
    declare(all);
  }

  private OpRegistry(Queue<Supplier<? extends Collection<OpDeclaration>>> families) {
    this.families = families;
  }

  /**
   * A registry of several families.
   *
   * @param families in the order in which they are asked, each once; best those first that are used
   *     most
   */
  public static OpRegistry ofFamilies(
      List<Supplier<? extends Collection<OpDeclaration>>> families) {
    Queue<Supplier<? extends Collection<OpDeclaration>>> unasked = new ArrayDeque<>(families);
    return new OpRegistry(unasked);
  }

  public Optional<OpDeclaration> find(String op) {
    OpDeclaration known = declared.get(op);
    return Optional.ofNullable(known != null ? known : search(op));
  }

  /** The declaration of an op; NOT_FOUND names the ones that are spelt alike. */
  public OpDeclaration lookup(String op) {
    return find(op)
        .orElseThrow(
            () ->
                TributaryException.notFound(
                    "op type '%s' is not registered; ops with a like name: %s", op, alike(op)));
  }

  /** All of them, sorted by name. */
  public Collection<OpDeclaration> all() {
    declareAll();
    return Collections.unmodifiableCollection(new TreeMap<>(declared).values());
  }

  private synchronized OpDeclaration search(String op) {
    while (!declared.containsKey(op) && !families.isEmpty()) {
      declare(families.remove().get());
    }
    return declared.get(op);
  }

  private synchronized void declareAll() {
    while (!families.isEmpty()) {
      declare(families.remove().get());
    }
  }

  private void declare(Collection<OpDeclaration> family) {
    for (OpDeclaration declaration : family) {
      if (declared.put(declaration.name(), declaration) != null) {
        throw TributaryException.internal("op %s is declared twice", declaration.name());
      }
    }
  }

  private List<String> alike(String op) {
    String start = op.substring(0, Math.min(3, op.length())).toLowerCase(Locale.ROOT);
    return all().stream()
        .map(OpDeclaration::name)
        .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(start))
        .limit(10)
        .toList();
  }
}
