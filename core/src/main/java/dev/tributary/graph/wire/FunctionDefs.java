package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.internal.library.FunctionDefinition;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.library.TracedFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GradientDef;
import org.tensorflow.proto.RegisteredGradient;

/** Functions as messages have them. */
final class FunctionDefs {
  private FunctionDefs() {}

  // ---- writing ----

  /** All functions of a library, in the order in which they were added. */
  static FunctionDefLibrary toProto(FunctionLibrary library) {
    FunctionDefLibrary.Builder proto = FunctionDefLibrary.newBuilder();
    library.functions().forEach(function -> proto.addFunction(toProto(function)));
    library
        .gradients()
        .forEach(
            (function, gradient) ->
                proto.addGradient(
                    GradientDef.newBuilder().setFunctionName(function).setGradientFunc(gradient)));
    library
        .registeredGradients()
        .forEach(
            gradient ->
                proto.addRegisteredGradients(
                    RegisteredGradient.newBuilder()
                        .setGradientFunc(gradient.function())
                        .setRegisteredOpType(gradient.opType())));
    return proto.build();
  }

  /** The message of a function: the one that it was read from, if it came in one. */
  static FunctionDef toProto(FunctionDefinition function) {
    if (function instanceof MessageFunction read) {
      return read.proto();
    }
    if (function instanceof TracedFunction traced) {
      return TracedFunctionDefs.toProto(traced);
    }
    throw TributaryException.internal(
        "function '%s' is a %s, which has no message",
        function.name(), function.getClass().getSimpleName());
  }

  // ---- reading ----

  /**
   * Adds the functions of a message to a graph, all or none, and returns those that it did not have
   * yet. A function that it has already must have the same definition.
   */
  static List<FunctionDefinition> addTo(Graph graph, FunctionDefLibrary proto) {
    if (proto.getFunctionCount() == 0
        && proto.getGradientCount() == 0
        && proto.getRegisteredGradientsCount() == 0) {
      return List.of();
    }
    FunctionLibrary library = FunctionLibrary.of(graph);
    Map<String, FunctionDef> added = new LinkedHashMap<>();
    for (FunctionDef function : proto.getFunctionList()) {
      String name = function.getSignature().getName();
      if (name.isEmpty()) {
        throw TributaryException.invalidArgument("a function of the library has no name");
      }
      Optional<FunctionDef> known =
          Optional.ofNullable(added.get(name))
              .or(() -> library.find(name).map(FunctionDefs::toProto));
      if (known.isEmpty()) {
        added.put(name, function);
      } else if (!isSame(known.get(), function)) {
        throw TributaryException.invalidArgument(
            "Cannot add function '%s' because a different function with the same name already"
                + " exists.",
            name);
      }
    }
    Map<String, FunctionDef> all = new LinkedHashMap<>(added);
    if (!added.isEmpty()) {
      library.functions().forEach(known -> all.put(known.name(), toProto(known)));
    }
    FunctionReferences.requireNoCycle(all);
    List<FunctionDefinition> functions = new ArrayList<>();
    added.values().forEach(function -> functions.add(new MessageFunction(function)));
    FunctionLibrary.add(graph, functions);
    try {
      proto
          .getGradientList()
          .forEach(g -> library.addGradient(g.getFunctionName(), g.getGradientFunc()));
    } catch (TributaryException e) {
      library.removeAll(functions);
      throw e;
    }
    proto
        .getRegisteredGradientsList()
        .forEach(
            g ->
                library.addRegisteredGradient(
                    new FunctionLibrary.RegisteredGradient(
                        g.getGradientFunc(), g.getRegisteredOpType())));
    return functions;
  }

  /** Compares all that TensorFlow compares: what only describes arguments may differ. */
  private static boolean isSame(FunctionDef a, FunctionDef b) {
    return a.getSignature().equals(b.getSignature())
        && a.getAttrMap().equals(b.getAttrMap())
        && a.getNodeDefList().equals(b.getNodeDefList())
        && a.getRetMap().equals(b.getRetMap())
        && a.getControlRetMap().equals(b.getControlRetMap());
  }
}
