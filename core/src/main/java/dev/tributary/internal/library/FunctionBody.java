package dev.tributary.internal.library;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The body of a function for one set of attributes.
 *
 * @param function the name of the function
 * @param graph holds the body's operations, and nothing else
 * @param arguments the outputs of {@code _Arg} operations that stand for what a call passes
 * @param results what a call returns; may be arguments
 * @param controlResults operations that every call runs, whether or not a result needs them
 */
public record FunctionBody(
    String function,
    Graph graph,
    List<Output> arguments,
    List<Output> results,
    List<Operation> controlResults) {
  /** Attribute of an {@code _Arg}: what is known of its shape. */
  public static final String ARGUMENT_SHAPE = "_shape";

  /** Attribute of an {@code _Arg}: what is known of the tensors that a resource stands for. */
  public static final String HANDLE_SHAPES = "_handle_shapes";

  public FunctionBody {
    arguments = List.copyOf(arguments);
    results = List.copyOf(results);
    controlResults = List.copyOf(controlResults);
  }

  /** Fails with INVALID_ARGUMENT if the function cannot be called with values of these types. */
  public void requireArguments(List<DataType> types) {
    requireTypes("takes", arguments.stream().map(Output::type).toList(), types);
  }

  /** Fails with INVALID_ARGUMENT if the function does not return values of these types. */
  public void requireResults(List<DataType> types) {
    requireTypes("returns", results.stream().map(Output::type).toList(), types);
  }

  /**
   * The operations that every call runs, whichever results are used: those that it returns as
   * control outputs, and the stateful ones. If there are control outputs, they are taken to name
   * all that matters of the stateful operations which give a value.
   */
  public Set<Operation> effects() {
    Set<Operation> effects = new LinkedHashSet<>(controlResults);
    for (Operation operation : graph.operations()) {
      if (isEffect(operation)) {
        effects.add(operation);
      }
    }
    arguments.forEach(argument -> effects.remove(argument.operation()));
    return effects;
  }

  private boolean isEffect(Operation operation) {
    boolean isCovered = !controlResults.isEmpty() && operation.outputCount() > 0;
    return !isCovered && hasEffect(operation);
  }

  /** Returns whether an operation may change state, rather than compute or name something. */
  public static boolean hasEffect(Operation operation) {
    boolean changesState =
        operation.declaration().def().isStateful()
            || operation.declaration().def().inputs().stream().anyMatch(ArgDef::isRef);
    boolean onlyNamesResource =
        operation.inputs().isEmpty() && operation.outputTypes().equals(List.of(DataType.RESOURCE));
    return changesState
        && !onlyNamesResource
        && !operation.declaration().has(OpFlag.RESOURCE_MAKER)
        && !operation.declaration().has(OpFlag.READS_STATE);
  }

  private void requireTypes(String verb, List<DataType> own, List<DataType> wanted) {
    if (!own.equals(wanted)) {
      throw TributaryException.invalidArgument(
          "function '%s' %s %d values %s, but the call has %d %s",
          function, verb, own.size(), names(own), wanted.size(), names(wanted));
    }
  }

  private static List<String> names(List<DataType> types) {
    return types.stream().map(DataType::lowerName).toList();
  }
}
