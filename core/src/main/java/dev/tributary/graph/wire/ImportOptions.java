package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.TensorName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Options for importing a graph message into a graph. Names are those in the message, without the
 * prefix. Immutable; each {@code with} method returns a changed copy.
 *
 * <pre>{@code
 * ImportOptions options = ImportOptions.defaults().withPrefix("model").withInput("x:0", images);
 * GraphDefs.importInto(tf.graph(), def, options);
 * }</pre>
 */
public final class ImportOptions {
  private static final ImportOptions DEFAULTS = new ImportOptions();

  // Only a copy that nobody else has seen is changed.
  private String prefix = "";
  private boolean uniquePrefix;
  private Map<TensorName, Output> inputs = Map.of();
  private Map<String, Operation> controls = Map.of();
  private List<Operation> controlDependencies = List.of();
  private List<TensorName> returnOutputs = List.of();
  private List<String> returnOperations = List.of();
  private boolean internalNames;
  private boolean existing;
  private Consumer<List<Operation>> check = operations -> {};

  private ImportOptions() {}

  /** All operations under the names that they have. */
  public static ImportOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Puts all operations into this scope, {@code a} or {@code a/}, along with what is there already.
   */
  public ImportOptions withPrefix(String scope) {
    ImportOptions changed = copy();
    changed.prefix = scope.endsWith("/") ? scope.substring(0, scope.length() - 1) : scope;
    changed.uniquePrefix = false;
    return changed;
  }

  /** Puts all operations into a scope of their own, with this name or one made from it. */
  public ImportOptions withUniquePrefix(String scope) {
    ImportOptions changed = withPrefix(scope);
    changed.uniquePrefix = true;
    return changed;
  }

  /**
   * Replaces the tensor {@code operation:index} of the message by an output of the graph. Its
   * operation is imported all the same.
   */
  public ImportOptions withInput(String tensor, Output value) {
    ImportOptions changed = copy();
    changed.inputs = and(inputs, tensor(tensor), value);
    return changed;
  }

  /**
   * Replaces the operation as a control input, with or without {@code ^} in front, by an operation
   * of the graph.
   */
  public ImportOptions withControl(String operation, Operation value) {
    String name = operation.startsWith("^") ? operation.substring(1) : operation;
    ImportOptions changed = copy();
    changed.controls = and(controls, name, value);
    return changed;
  }

  /** Lets the imported operations run after this one, too. */
  public ImportOptions withControlDependency(Operation operation) {
    ImportOptions changed = copy();
    changed.controlDependencies = and(controlDependencies, operation);
    return changed;
  }

  /** Asks for a tensor {@code operation:index} of the message, once it is imported. */
  public ImportOptions withReturnOutput(String tensor) {
    ImportOptions changed = copy();
    changed.returnOutputs = and(returnOutputs, tensor(tensor));
    return changed;
  }

  /** Asks for a node of the message, once it is imported. */
  public ImportOptions withReturnOperation(String operation) {
    ImportOptions changed = copy();
    changed.returnOperations = and(returnOperations, operation);
    return changed;
  }

  /** Asks for these tensors and nodes of the message, which may be many. */
  ImportOptions returning(List<String> tensors, List<String> operations) {
    ImportOptions changed = copy();
    changed.returnOutputs = tensors.stream().map(ImportOptions::tensor).toList();
    changed.returnOperations = List.copyOf(operations);
    return changed;
  }

  /** Lets names start with an underscore, as the runtime's own do. */
  public ImportOptions withInternalNames() {
    ImportOptions changed = copy();
    changed.internalNames = true;
    return changed;
  }

  /** Lets nodes name operations that are in the graph already, which it thereby extends. */
  public ImportOptions withExisting() {
    ImportOptions changed = copy();
    changed.existing = true;
    return changed;
  }

  /**
   * Calls {@code last} with all new operations, when only the graph has yet to take them in. An
   * exception from it ends the import.
   */
  public ImportOptions withCheck(Consumer<List<Operation>> last) {
    ImportOptions changed = copy();
    changed.check = last;
    return changed;
  }

  String prefix() {
    return prefix;
  }

  boolean uniquePrefix() {
    return uniquePrefix;
  }

  Map<TensorName, Output> inputs() {
    return inputs;
  }

  Map<String, Operation> controls() {
    return controls;
  }

  List<Operation> controlDependencies() {
    return controlDependencies;
  }

  List<TensorName> returnOutputs() {
    return returnOutputs;
  }

  List<String> returnOperations() {
    return returnOperations;
  }

  boolean internalNames() {
    return internalNames;
  }

  boolean existing() {
    return existing;
  }

  Consumer<List<Operation>> check() {
    return check;
  }

  private ImportOptions copy() {
    ImportOptions copy = new ImportOptions();
    copy.prefix = prefix;
    copy.uniquePrefix = uniquePrefix;
    copy.inputs = inputs;
    copy.controls = controls;
    copy.controlDependencies = controlDependencies;
    copy.returnOutputs = returnOutputs;
    copy.returnOperations = returnOperations;
    copy.internalNames = internalNames;
    copy.existing = existing;
    copy.check = check;
    return copy;
  }

  private static TensorName tensor(String name) {
    TensorName parsed = TensorName.parse(name);
    if (parsed.isControl()) {
      throw TributaryException.invalidArgument(
          "'%s' is not a tensor, wanted operation:index", name);
    }
    return parsed;
  }

  private static <K, V> Map<K, V> and(Map<K, V> values, K key, V value) {
    Map<K, V> all = new LinkedHashMap<>(values);
    all.put(key, value);
    return Map.copyOf(all);
  }

  private static <T> List<T> and(List<T> values, T value) {
    List<T> all = new ArrayList<>(values);
    all.add(value);
    return List.copyOf(all);
  }
}
