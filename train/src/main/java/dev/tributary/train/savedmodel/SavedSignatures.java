package dev.tributary.train.savedmodel;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.wire.ShapeProtos;
import dev.tributary.internal.wire.TypeProtos;
import dev.tributary.ops.Variable;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Variables;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.TensorInfo;

/** The signatures of a model that is to be saved, checked against its graph. Immutable. */
record SavedSignatures(Graph graph, Map<String, SignatureDef> signatures) {
  private static final String PLACEHOLDER = "Placeholder";
  private static final Set<String> VARIABLES = Set.of("VarHandleOp", "VariableV2", "Variable");

  SavedSignatures {
    signatures = Map.copyOf(signatures);
  }

  /** Fails if a loader could not use one of the signatures. */
  void check() {
    signatures.forEach(
        (key, signature) -> {
          try {
            check(key, signature);
          } catch (TributaryException e) {
            throw e.at("signature '" + key + "'");
          }
        });
  }

  private void check(String key, SignatureDef signature) {
    if (key.isEmpty() || key.startsWith("__")) {
      throw TributaryException.invalidArgument(
          "names that are empty or begin with __ are reserved");
    }
    if (signature.outputs().isEmpty()) {
      throw TributaryException.invalidArgument("a signature needs an output");
    }
    requireOwn(signature.inputs());
    requireOwn(signature.outputs());
    Set<Operation> reached = reached(signature);
    Set<String> unfed = names(reached, PLACEHOLDER::equals);
    if (!unfed.isEmpty()) {
      throw TributaryException.invalidArgument(
          "the outputs depend on placeholders %s, which are not inputs of the signature: it has %s",
          unfed, signature.inputs().keySet());
    }
    Set<String> unsaved = names(reached, VARIABLES::contains);
    Variables.global(graph).stream().map(Variable::name).forEach(unsaved::remove);
    initialized().map(Variable::name).forEach(unsaved::remove);
    if (!unsaved.isEmpty()) {
      throw TributaryException.invalidArgument(
          "the outputs depend on variables %s, which are not in collection '%s' and would be lost",
          unsaved, Variable.VARIABLES);
    }
  }

  /** The variables that the main op of the graph initializes when the model is loaded. */
  private Stream<Variable> initialized() {
    Set<Operation> run = new HashSet<>();
    Deque<Operation> open = new ArrayDeque<>();
    graph.collection(GraphKeys.MAIN_OP).forEach(main -> open.add((Operation) main));
    while (!open.isEmpty()) {
      Operation operation = open.remove();
      if (run.add(operation)) {
        open.addAll(operation.controlInputs());
      }
    }
    return Variables.local(graph).stream().filter(local -> run.contains(local.initializer()));
  }

  private void requireOwn(Map<String, Output> named) {
    named.forEach(
        (key, output) -> {
          if (output.graph() != graph) {
            throw TributaryException.invalidArgument(
                "'%s' is %s of a graph that is not the session's", key, output.name());
          }
        });
  }

  private static Set<String> names(Set<Operation> operations, Predicate<String> type) {
    return operations.stream()
        .filter(operation -> type.test(operation.type()))
        .map(Operation::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** All operations that compute the outputs, up to the inputs. */
  private static Set<Operation> reached(SignatureDef signature) {
    Set<Output> fed = new HashSet<>(signature.inputs().values());
    Set<Operation> reached = new LinkedHashSet<>();
    Deque<Operation> open = new ArrayDeque<>();
    follow(signature.outputs().values(), fed, open);
    while (!open.isEmpty()) {
      Operation operation = open.remove();
      if (reached.add(operation)) {
        follow(operation.inputs(), fed, open);
        open.addAll(operation.controlInputs());
      }
    }
    return reached;
  }

  private static void follow(Collection<Output> outputs, Set<Output> fed, Deque<Operation> open) {
    outputs.stream()
        .filter(output -> !fed.contains(output))
        .map(Output::operation)
        .forEach(open::add);
  }

  void addTo(MetaGraphDef.Builder meta) {
    new TreeMap<>(signatures)
        .forEach(
            (key, signature) -> {
              org.tensorflow.proto.SignatureDef.Builder proto =
                  org.tensorflow.proto.SignatureDef.newBuilder()
                      .setMethodName(signature.methodName());
              signature.inputs().forEach((name, output) -> proto.putInputs(name, info(output)));
              signature.outputs().forEach((name, output) -> proto.putOutputs(name, info(output)));
              meta.putSignatureDef(key, proto.build());
            });
  }

  private static TensorInfo info(Output output) {
    return TensorInfo.newBuilder()
        .setName(output.name())
        .setDtype(TypeProtos.toProto(output.type()))
        .setTensorShape(ShapeProtos.toProto(output.shape()))
        .build();
  }
}
