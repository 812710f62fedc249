package dev.tributary.internal.library;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.CallableFunctions;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.NativeCall;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.op.AttrValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The functions of a graph, which the bodies of these functions share. Bodies are made when they
 * are first asked for and kept until the graph is closed. The functions are guarded by the
 * library's monitor; bodies are made outside of it. Safe for use by many threads.
 */
public final class FunctionLibrary implements CallableFunctions {
  /** A gradient that a program registered for an op, as a model carries it along. */
  public record RegisteredGradient(String function, String opType) {}

  private record Inferred(AttrValue.Function call, List<KnownShape> arguments) {}

  /** A few small functions that call each other can stand for more nodes than any memory holds. */
  private static final int MOST_NODES = 1_000_000;

  private final OpRegistry registry;
  private volatile int mostNodes = MOST_NODES;

  @GuardedBy("this")
  private final Map<String, FunctionDefinition> functions = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<String, OpDeclaration> declarations = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, String> gradients = new LinkedHashMap<>();

  @GuardedBy("this")
  private final List<RegisteredGradient> registeredGradients = new ArrayList<>();

  @GuardedBy("this")
  private final List<Operation> inlined = new ArrayList<>(0);

  private final Map<AttrValue.Function, FunctionBody> bodies = new ConcurrentHashMap<>();
  private final Map<AttrValue.Function, FunctionBody> derived = new ConcurrentHashMap<>();
  private final Map<Inferred, List<KnownShape>> inferred = new ConcurrentHashMap<>();

  private FunctionLibrary(OpRegistry registry) {
    this.registry = registry;
  }

  /** The functions of a graph; a graph that had none gets an empty library. */
  public static FunctionLibrary of(Graph graph) {
    return (FunctionLibrary) graph.functions(() -> new FunctionLibrary(graph.registry()));
  }

  /** Lowers the limit on the nodes that calls of functions stand for. */
  public void limitNodes(int most) {
    mostNodes = Math.min(most, MOST_NODES);
  }

  /** The most nodes that the calls of functions in a step may stand for. */
  public int mostNodes() {
    return mostNodes;
  }

  /**
   * Adds functions to a graph, all or none: INVALID_ARGUMENT if the name of one is that of an op or
   * of another function.
   */
  public static void add(Graph graph, Collection<? extends FunctionDefinition> added) {
    FunctionLibrary library = of(graph);
    graph.changeFunctions(changed -> library.addAll(added));
  }

  /** All functions, in the order in which they were added. */
  public synchronized List<FunctionDefinition> functions() {
    return List.copyOf(functions.values());
  }

  /** Returns how many functions there are, which tells whether the library grew. */
  public synchronized int size() {
    return functions.size();
  }

  public synchronized Optional<FunctionDefinition> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }

  /** Returns the function of this name; INVALID_ARGUMENT names some that there are. */
  public synchronized FunctionDefinition lookup(String name) {
    FunctionDefinition function = functions.get(name);
    if (function == null) {
      throw CallableFunctions.notFound(name, functions.keySet());
    }
    return function;
  }

  /** The functions that compute gradients of others, by the names of those. */
  public synchronized Map<String, String> gradients() {
    return new LinkedHashMap<>(gradients);
  }

  public synchronized List<RegisteredGradient> registeredGradients() {
    return List.copyOf(registeredGradients);
  }

  /** Sets the function that computes the gradient of another one, which has one at most. */
  public synchronized void addGradient(String function, String gradient) {
    String known = gradients.putIfAbsent(function, gradient);
    if (known != null && !known.equals(gradient)) {
      throw TributaryException.invalidArgument(
          "Cannot assign gradient function '%s' to '%s' because it already has gradient function"
              + " '%s'",
          gradient, function, known);
    }
  }

  public synchronized void addRegisteredGradient(RegisteredGradient gradient) {
    if (!registeredGradients.contains(gradient)) {
      registeredGradients.add(gradient);
    }
  }

  private synchronized void addAll(Collection<? extends FunctionDefinition> added) {
    List<String> done = new ArrayList<>();
    try {
      for (FunctionDefinition function : added) {
        requireFree(function.name());
        functions.put(function.name(), function);
        done.add(function.name());
      }
    } catch (RuntimeException e) {
      functions.keySet().removeAll(done);
      throw e;
    }
  }

  /** Takes back functions for which an import failed. */
  public synchronized void removeAll(Collection<? extends FunctionDefinition> added) {
    for (FunctionDefinition function : added) {
      functions.remove(function.name());
      declarations.remove(function.name());
    }
    Set<String> names = Set.copyOf(added.stream().map(FunctionDefinition::name).toList());
    inferred.keySet().removeIf(key -> names.contains(key.call().name()));
    bodies.keySet().removeIf(key -> names.contains(key.name()));
  }

  @Override
  public Optional<OpDeclaration> declaration(String name) {
    Optional<FunctionDefinition> function = find(name);
    if (function.isEmpty()) {
      return Optional.empty();
    }
    OpDeclaration made = NativeCall.declaration(function.get().signature());
    synchronized (this) {
      return Optional.of(declarations.computeIfAbsent(name, key -> made));
    }
  }

  /** Returns the body of a function for the attributes that a call binds. */
  public FunctionBody body(AttrValue.Function call) {
    FunctionDefinition function = lookup(call.name());
    AttrValue.Function key = bound(function, call);
    return kept(bodies, key, () -> instantiate(function, key, List.of()));
  }

  /**
   * Returns a body that is made from a function, such as that of its gradient, and kept like those
   * of functions.
   *
   * @param key differs from the calls of all functions and from the keys of other such bodies
   */
  public FunctionBody derived(AttrValue.Function key, Supplier<FunctionBody> maker) {
    return kept(derived, key, maker);
  }

  /** An empty graph for a body, which shares this library. */
  public Graph newBody() {
    return new Graph(registry, this, Optional.empty());
  }

  /**
   * The same for a body that a program builds.
   *
   * @param capture returns what stands for a value of another graph
   */
  public Graph newBody(UnaryOperator<Output> capture) {
    return new Graph(registry, this, Optional.of(capture));
  }

  /** Returns a name that no op and no function has: {@code wanted}, or that with a number. */
  public synchronized String freeName(String wanted) {
    String name = wanted;
    for (int i = 1; functions.containsKey(name) || registry.find(name).isPresent(); i++) {
      name = wanted + "_" + i;
    }
    return name;
  }

  /** Notes down that a call of a graph was replaced by the operations of its body. */
  public synchronized void addInlined(Operation call) {
    inlined.add(call);
  }

  /** The calls that were replaced by the operations of their bodies, of this graph only. */
  public synchronized List<Operation> inlined(Graph graph) {
    return inlined.isEmpty()
        ? List.of()
        : inlined.stream().filter(call -> call.graph() == graph).toList();
  }

  @Override
  public List<KnownShape> results(AttrValue.Function call, List<KnownShape> arguments) {
    FunctionDefinition function = lookup(call.name());
    Inferred key = new Inferred(bound(function, call), List.copyOf(arguments));
    List<KnownShape> known = inferred.get(key);
    if (known == null) {
      known = infer(function, key);
      inferred.put(key, known);
    }
    return known;
  }

  @Override
  public void close() {
    functions().forEach(FunctionDefinition::close);
    bodies.values().forEach(body -> body.graph().close());
    derived.values().forEach(body -> body.graph().close());
  }

  private List<KnownShape> infer(FunctionDefinition function, Inferred key) {
    Graph own = newBody();
    try {
      FunctionBody body = function.instantiate(key.call().attributes(), key.arguments(), own);
      return body.results().stream().map(FunctionLibrary::known).toList();
    } catch (TributaryException e) {
      if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.UNIMPLEMENTED) {
        return List.of();
      }
      throw e;
    } finally {
      own.close();
    }
  }

  private static KnownShape known(Output result) {
    return new KnownShape(result.shape(), result.operation().handleShapes(result.index()));
  }

  private FunctionBody instantiate(
      FunctionDefinition function, AttrValue.Function call, List<KnownShape> arguments) {
    Graph own = newBody();
    try {
      return function.instantiate(call.attributes(), arguments, own);
    } catch (RuntimeException | Error e) {
      own.close();
      throw e;
    }
  }

  private static FunctionBody kept(
      Map<AttrValue.Function, FunctionBody> known,
      AttrValue.Function key,
      Supplier<FunctionBody> maker) {
    FunctionBody body = known.get(key);
    if (body != null) {
      return body;
    }
    FunctionBody made = maker.get();
    FunctionBody earlier = known.putIfAbsent(key, made);
    if (earlier != null && earlier.graph() != made.graph()) {
      made.graph().close();
    }
    return earlier != null ? earlier : made;
  }

  /** The call with those attributes only that the function has. */
  private static AttrValue.Function bound(FunctionDefinition function, AttrValue.Function call) {
    Map<String, AttrValue> attributes = new HashMap<>(call.attributes());
    attributes.keySet().removeIf(name -> !function.signature().hasAttribute(name));
    return new AttrValue.Function(call.name(), attributes);
  }

  @GuardedBy("this")
  private void requireFree(String name) {
    if (registry.find(name).isPresent()) {
      throw TributaryException.invalidArgument(
          "Cannot add function '%s' because an op with the same name already exists.", name);
    }
    if (functions.containsKey(name)) {
      throw TributaryException.invalidArgument(
          "Cannot add function '%s' because a different function with the same name already"
              + " exists.",
          name);
    }
  }
}
