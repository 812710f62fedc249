package dev.tributary.graph;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A dataflow graph. It only grows. Guarded by its own monitor, so several threads may build and run it; operations come out in
 * the order they were made.
 */
public final class Graph {
  private final OpRegistry registry;
  private final NameTable names = new NameTable();
  private final List<Operation> operations = new ArrayList<>();
  private final Map<String, Operation> byName = new LinkedHashMap<>();
  private final Map<String, List<Object>> collections = new LinkedHashMap<>();
  private int seed;
  private boolean seeded;

  public Graph(OpRegistry registry) {
    this.registry = registry;
  }

  public OpRegistry registry() {
    return registry;
  }

  /** The scope of the whole graph, from which narrower ones are made. */
  public Scope scope() {
    return Scope.root(this);
  }

  /** A snapshot of all operations, in order of creation. */
  public synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** How many operations there are, which tells whether the graph grew. */
  public synchronized int size() {
    return operations.size();
  }

  public synchronized Optional<Operation> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Operation operation(String name) {
    return find(name)
        .orElseThrow(() -> TributaryException.notFound("the graph has no operation '%s'; %s", name, hint(name)));
  }

  /** The output with TensorFlow's name {@code operation:index}; without an index, the first. */
  public Output output(String name) {
    int colon = name.lastIndexOf(':');
    if (colon < 0) {
      return operation(name).output(0);
    }
    try {
      return operation(name.substring(0, colon)).output(Integer.parseInt(name.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument("'%s' is not the name of a tensor, wanted operation:index", name);
    }
  }

  public synchronized void addToCollection(String collection, Object element) {
    collections.computeIfAbsent(collection, key -> new ArrayList<>()).add(element);
  }

  public synchronized List<Object> collection(String collection) {
    return List.copyOf(collections.getOrDefault(collection, List.of()));
  }

  public synchronized Collection<String> collectionNames() {
    return List.copyOf(collections.keySet());
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
    Output old = operation.input(index);
    if (old.type() != value.type()) {
      throw TributaryException.invalidArgument(
          "input %d of %s is %s and cannot become %s", index, operation, old.type().lowerName(), value);
    }
    operation.replaceInput(index, value);
  }

  /** Adds a control edge to an operation that exists already. */
  public synchronized void addControlEdge(Operation from, Operation to) {
    to.addControlInput(from);
  }

  synchronized String uniqueName(String wanted) {
    return names.unique(wanted);
  }

  synchronized Operation add(OperationBuilder.Finished finished) {
    if (byName.containsKey(finished.name())) {
      throw new TributaryException(
          ErrorCode.ALREADY_EXISTS, "the graph already has an operation '" + finished.name() + "'");
    }
    names.reserve(finished.name());
    Operation operation =
        new Operation(
            this,
            operations.size(),
            finished.name(),
            finished.declaration(),
            finished.attributes(),
            finished.device(),
            finished.inputs(),
            finished.controlInputs(),
            finished.inference(),
            finished.flowContext());
    operations.add(operation);
    byName.put(operation.name(), operation);
    return operation;
  }

  private synchronized String hint(String name) {
    String last = name.substring(name.lastIndexOf('/') + 1);
    List<String> alike = byName.keySet().stream().filter(n -> n.endsWith(last) || n.startsWith(name)).limit(10).toList();
    return alike.isEmpty()
        ? "it has " + byName.size() + " operations: " + byName.keySet().stream().limit(10).toList()
        : "like names: " + alike;
  }
}
