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
 * How a graph message joins a graph. Names of the message are given as it has them, without the
 * prefix. Immutable.
 *
 * @param prefix the scope into which all operations go; empty for none
 * @param uniquePrefix whether a prefix that is in use gets a number, rather than being shared
 * @param inputs outputs of the graph that take the place of tensors of the message
 * @param controls operations of the graph that take the place of control inputs of the message
 * @param controlDependencies what the imported operations run after
 * @param returnOutputs tensors of the message to look up once they are imported
 * @param returnOperations nodes of the message to look up once they are imported
 * @param internalNames whether names may start with an underscore, as the runtime's own do
 * @param existing whether inputs that the message has no node for are nodes of the graph
 * @param check sees all new operations before the graph takes them in; what it throws ends the
 *     import
 */
public record ImportOptions(
    String prefix,
    boolean uniquePrefix,
    Map<TensorName, Output> inputs,
    Map<String, Operation> controls,
    List<Operation> controlDependencies,
    List<TensorName> returnOutputs,
    List<String> returnOperations,
    boolean internalNames,
    boolean existing,
    Consumer<List<Operation>> check) {
  public ImportOptions {
    inputs = Map.copyOf(inputs);
    controls = Map.copyOf(controls);
    controlDependencies = List.copyOf(controlDependencies);
    returnOutputs = List.copyOf(returnOutputs);
    returnOperations = List.copyOf(returnOperations);
  }

  /** All operations under the names that they have. */
  public static ImportOptions defaults() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects options. Confined to one thread. */
  public static final class Builder {
    private final Map<TensorName, Output> inputs = new LinkedHashMap<>();
    private final Map<String, Operation> controls = new LinkedHashMap<>();
    private final List<Operation> controlDependencies = new ArrayList<>();
    private final List<TensorName> returnOutputs = new ArrayList<>();
    private final List<String> returnOperations = new ArrayList<>();
    private String prefix = "";
    private boolean uniquePrefix;
    private boolean internalNames;
    private boolean existing;
    private Consumer<List<Operation>> check = operations -> {};

    private Builder() {}

    /**
     * Puts all operations into this scope, {@code a} or {@code a/}, along with what is there
     * already.
     */
    public Builder prefix(String scope) {
      prefix = scope.endsWith("/") ? scope.substring(0, scope.length() - 1) : scope;
      uniquePrefix = false;
      return this;
    }

    /** Puts all operations into a scope of their own, with this name or one made from it. */
    public Builder uniquePrefix(String scope) {
      prefix(scope);
      uniquePrefix = true;
      return this;
    }

    /**
     * Replaces the tensor {@code operation:index} of the message. Its operation is imported all the
     * same.
     */
    public Builder mapInput(String tensor, Output value) {
      inputs.put(tensor(tensor), value);
      return this;
    }

    /** Replaces the operation as a control input, with or without {@code ^} in front. */
    public Builder mapControl(String operation, Operation value) {
      controls.put(operation.startsWith("^") ? operation.substring(1) : operation, value);
      return this;
    }

    public Builder controlDependency(Operation operation) {
      controlDependencies.add(operation);
      return this;
    }

    public Builder returnOutput(String tensor) {
      returnOutputs.add(tensor(tensor));
      return this;
    }

    public Builder returnOperation(String operation) {
      returnOperations.add(operation);
      return this;
    }

    public Builder allowInternalNames() {
      internalNames = true;
      return this;
    }

    /** Lets nodes name operations that are in the graph already, which it thereby extends. */
    public Builder allowExisting() {
      existing = true;
      return this;
    }

    /** Calls {@code last} with all new operations, when only the graph has yet to take them in. */
    public Builder check(Consumer<List<Operation>> last) {
      check = last;
      return this;
    }

    public ImportOptions build() {
      return new ImportOptions(
          prefix,
          uniquePrefix,
          inputs,
          controls,
          controlDependencies,
          returnOutputs,
          returnOperations,
          internalNames,
          existing,
          check);
    }

    private static TensorName tensor(String name) {
      TensorName parsed = TensorName.parse(name);
      if (parsed.isControl()) {
        throw TributaryException.invalidArgument(
            "'%s' is not a tensor, wanted operation:index", name);
      }
      return parsed;
    }
  }
}
