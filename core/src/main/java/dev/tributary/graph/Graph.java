package dev.tributary.graph;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.CallableFunctions;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A dataflow graph. It only grows. Guarded by its own monitor, so several threads may build and run
 * it; operations come out in the order they were made.
 *
 * <p>A graph keeps references of its own to the tensors of its constants. They end when the garbage
 * collector finds the graph unreachable. A program whose graphs have large constants can end them
 * earlier with {@link #close}, after the last session on the graph.
 */
public final class Graph implements AutoCloseable {
  private final OpRegistry registry;
  private final boolean ownsFunctions;
  private final Optional<UnaryOperator<Output>> capture;

  /** Changes once, when somebody wants to add functions. */
  private volatile CallableFunctions functions;

  @GuardedBy("this")
  private final GraphTensors tensors = GraphTensors.of(this);

  @GuardedBy("this")
  private final NameTable names = new NameTable();

  @GuardedBy("this")
  private final List<Operation> operations = new ArrayList<>();

  /** So many of the operations have their names in the table. */
  @GuardedBy("this")
  private int reserved;

  @GuardedBy("this")
  private final Map<String, Operation> byName = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<String, List<Object>> collections = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<Class<?>, Object> extensions = new HashMap<>();

  @GuardedBy("this")
  private int seed;

  @GuardedBy("this")
  private boolean seeded;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private boolean isFinal;

  public Graph(OpRegistry registry) {
    this(registry, CallableFunctions.NONE, true, Optional.empty());
  }

  /**
   * The graph of a function's body, which shares the functions of the graph that calls it.
   *
   * @param capture takes in values of other graphs, if the body may use such
   */
  public Graph(
      OpRegistry registry, CallableFunctions functions, Optional<UnaryOperator<Output>> capture) {
    this(registry, functions, false, capture);
  }

  private Graph(
      OpRegistry registry,
      CallableFunctions functions,
      boolean ownsFunctions,
      Optional<UnaryOperator<Output>> capture) {
    this.registry = registry;
    this.functions = functions;
    this.ownsFunctions = ownsFunctions;
    this.capture = capture;
  }

  public OpRegistry registry() {
    return registry;
  }

  /** The functions that operations can call. */
  public CallableFunctions functions() {
    return functions;
  }

  /**
   * The same.
   *
   * @param maker makes what the functions are kept in, if the graph had none up to now
   */
  public synchronized CallableFunctions functions(Supplier<? extends CallableFunctions> maker) {
    if (functions == CallableFunctions.NONE) {
      functions = maker.get();
    }
    return functions;
  }

  /** Lets functions be added, unless the graph is closed or final. */
  public synchronized void changeFunctions(Consumer<? super CallableFunctions> change) {
    requireChangeable();
    change.accept(functions);
  }

  /**
   * Returns a value as operations of this graph see it: a value of another graph becomes an
   * argument, if this graph is the body of a function that a program builds.
   */
  public Output seen(Output value) {
    return value.graph() == this || capture.isEmpty() ? value : capture.get().apply(value);
  }

  /** The declaration of an op or, for a native call, of a function. */
  public OpDeclaration lookup(String op) {
    return declaration(op).orElseGet(() -> registry.lookup(op));
  }

  /** The same, if there is one. */
  public Optional<OpDeclaration> declaration(String op) {
    return registry.find(op).or(() -> functions.declaration(op));
  }

  /** The scope of the whole graph, from which narrower ones are made. */
  public Scope scope() {
    return Scope.root(this);
  }

  /** A snapshot of all operations, in order of creation. */
  public synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** Returns the number of operations. */
  public synchronized int size() {
    return operations.size();
  }

  public synchronized Optional<Operation> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Operation operation(String name) {
    return find(name)
        .orElseThrow(
            () ->
                TributaryException.notFound(
                    "the graph has no operation '%s'; %s", name, hint(name)));
  }

  /** The output with TensorFlow's name {@code operation:index}; without an index, the first. */
  public Output output(String name) {
    TensorName parsed = TensorName.parse(name);
    if (parsed.isControl()) {
      throw TributaryException.invalidArgument(
          "'%s' names an operation, wanted a tensor: operation:index", name);
    }
    return operation(parsed.operation()).output(parsed.index());
  }

  /** The output with TensorFlow's name {@code operation:index}, if there is one. */
  public Optional<Output> findOutput(String name) {
    TensorName parsed = TensorName.parse(name);
    return find(parsed.operation())
        .filter(operation -> !parsed.isControl() && parsed.index() < operation.outputCount())
        .map(operation -> operation.output(parsed.index()));
  }

  public synchronized void addToCollection(String collection, Object element) {
    requireChangeable();
    collections.computeIfAbsent(collection, key -> new ArrayList<>()).add(element);
  }

  public synchronized List<Object> collection(String collection) {
    return List.copyOf(collections.getOrDefault(collection, List.of()));
  }

  public synchronized Collection<String> collectionNames() {
    return List.copyOf(collections.keySet());
  }

  /**
   * Returns the one object of a type that a library keeps with this graph while it is built.
   *
   * @param maker makes it when it is asked for the first time
   */
  public synchronized <T> T extension(Class<T> type, Supplier<T> maker) {
    return type.cast(extensions.computeIfAbsent(type, key -> maker.get()));
  }

  /**
   * Lets nothing be added or changed any more: TensorFlow's {@code finalize}. A training loop that
   * would add operations with each step, and so get slower and slower, fails instead.
   */
  public synchronized void makeFinal() {
    isFinal = true;
  }

  public synchronized boolean isFinal() {
    return isFinal;
  }

  /** Makes random operations that are built from now on repeatable. */
  public synchronized void setSeed(int graphSeed) {
    seed = graphSeed;
    seeded = true;
  }

  public synchronized Optional<Integer> seed() {
    return seeded ? Optional.of(seed) : Optional.empty();
  }

  /** Closes a loop: replaces an input that stood in for a value made later. */
  public synchronized void updateInput(Operation operation, int index, Output value) {
    requireChangeable();
    requireOwn(operation);
    requireOwn(value.operation());
    Output old = operation.input(index);
    if (old.type() != value.type() || (old.isRef() && !value.isRef())) {
      throw TributaryException.invalidArgument(
          "input %d of %s is %s and cannot become %s", index, operation, old, value);
    }
    operation.replaceInput(index, value);
  }

  /**
   * Makes an operation return the values of others instead of its own. So a call of a function
   * keeps its name and its consumers when its body has been inlined.
   *
   * @param identities the op that it becomes, an IdentityN
   * @param values one for each output, of its type
   * @param controls the operations it waits for from now on
   */
  public synchronized void replaceByValues(
      Operation operation,
      OpDeclaration identities,
      List<Output> values,
      List<Operation> controls) {
    requireChangeable();
    requireOwn(operation);
    values.forEach(value -> requireOwn(value.operation()));
    controls.forEach(this::requireOwn);
    if (!operation.outputTypes().equals(values.stream().map(Output::type).toList())) {
      throw TributaryException.invalidArgument(
          "%s gives %s and cannot give %s instead", operation, operation.outputTypes(), values);
    }
    operation.becomeIdentities(identities, values, controls);
  }

  /** Adds a control edge to an operation that exists already. */
  public synchronized void addControlEdge(Operation from, Operation to) {
    requireChangeable();
    requireOwn(from);
    requireOwn(to);
    to.addControlInput(from);
  }

  /**
   * Takes in operations that were made outside of the graph ({@link OperationBuilder#detached}),
   * all of them or, if the name of one is in use, none. They may depend on each other in any way;
   * what else they depend on must be in the graph.
   */
  public synchronized void addAll(List<Operation> detached) {
    requireChangeable();
    int before = operations.size();
    int tensorsBefore = tensors.count();
    try {
      for (Operation operation : detached) {
        requireOwn(operation);
        requireFree(operation.name());
        append(operation);
      }
      for (Operation operation : detached) {
        List<Output> inputs = operation.inputs();
        for (int i = 0; i < inputs.size(); i++) {
          requirePresent(operation, inputs.get(i).operation());
        }
        operation.controlInputs().forEach(control -> requirePresent(operation, control));
      }
    } catch (RuntimeException e) {
      removeFrom(before);
      tensors.forget(tensorsBefore);
      throw e;
    }
  }

  /**
   * Takes in copies of operations of another graph, which has the same ops and no functions: all of
   * them or none, as {@link #addAll} does. What they depend on is among them, or in this graph
   * under the same name.
   *
   * @param originals in the order of creation and without gaps
   * @param check sees the copies first and refuses them by an exception
   */
  public void addCopies(List<Operation> originals, Consumer<List<Operation>> check) {
    List<Operation> copies = new OperationCopies(this, originals).make();
    check.accept(copies);
    addAll(copies);
  }

  @GuardedBy("this")
  private void removeFrom(int place) {
    List<Operation> added = operations.subList(place, operations.size());
    for (Operation operation : added) {
      byName.remove(operation.name());
      operation.leaveGraph();
    }
    added.clear();
  }

  /**
   * Takes a name that nothing else has or will get: {@code wanted}, or {@code wanted} with a
   * number.
   */
  public synchronized String takeName(String wanted) {
    reserveNames();
    return names.unique(wanted);
  }

  /** Few graphs that were imported are built on. */
  @GuardedBy("this")
  private void reserveNames() {
    for (; reserved < operations.size(); reserved++) {
      names.reserveWithScopes(operations.get(reserved).name());
    }
  }

  /** Gives back a name from {@link #takeName} for which nothing was made. */
  public synchronized void giveBackName(String name) {
    if (!byName.containsKey(name)) {
      names.release(name);
    }
  }

  synchronized void add(Operation operation) {
    requireChangeable();
    requireFree(operation.name());
    reserveNames();
    names.reserve(operation.name());
    append(operation);
    reserved++;
  }

  @GuardedBy("this")
  private void append(Operation operation) {
    operation.joinGraph(operations.size(), tensors);
    operations.add(operation);
    byName.put(operation.name(), operation);
  }

  @GuardedBy("this")
  private void requireFree(String name) {
    if (byName.containsKey(name)) {
      throw new TributaryException(
          ErrorCode.ALREADY_EXISTS, "the graph already has an operation '" + name + "'");
    }
  }

  private void requireOwn(Operation operation) {
    if (operation.graph() != this) {
      throw TributaryException.invalidArgument("%s belongs to another graph", operation);
    }
  }

  private void requirePresent(Operation user, Operation used) {
    if (used.graph() != this || !used.isInGraph()) {
      throw TributaryException.invalidArgument(
          "%s depends on %s, which is not in the graph", user, used);
    }
  }

  /**
   * Gives back the tensors of all constants at once, after the last session on the graph: a step
   * that needs one fails with FAILED_PRECONDITION. The graph cannot grow then. Closing it again
   * does nothing.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    operations.forEach(Operation::releaseTensors);
    tensors.forget(0);
    if (ownsFunctions) {
      functions.close();
    }
  }

  @GuardedBy("this")
  private void requireChangeable() {
    if (closed) {
      throw TributaryException.failedPrecondition("the graph is closed");
    }
    if (isFinal) {
      throw TributaryException.failedPrecondition(
          "the graph is final and cannot be changed: build all operations before its session");
    }
  }

  private synchronized String hint(String name) {
    String last = name.substring(name.lastIndexOf('/') + 1);
    List<String> alike =
        byName.keySet().stream()
            .filter(n -> n.endsWith(last) || n.startsWith(name))
            .limit(10)
            .toList();
    return alike.isEmpty()
        ? "it has " + byName.size() + " operations: " + byName.keySet().stream().limit(10).toList()
        : "like names: " + alike;
  }
}
