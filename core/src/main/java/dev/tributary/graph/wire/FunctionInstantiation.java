package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.wire.AttrValues;
import dev.tributary.internal.wire.Versions;
import dev.tributary.op.AttrValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * Turns the body of a function into the message of a plain graph, for one set of attributes: {@code
 * _Arg} nodes in the place of arguments, attribute placeholders replaced by values, and inputs
 * named as graphs name them.
 *
 * <p>Inside a function, {@code a} is an argument, a single value or a list, {@code a:1} an element
 * of it, {@code n:out} an output of node {@code n} by its name in the op, and {@code n:out:1} an
 * element of that. In a graph, {@code n:1} counts over all outputs. Confined to one thread.
 */
final class FunctionInstantiation {
  private final FunctionDef function;
  private final OpDef signature;
  private final BoundAttributes bound;
  private final Graph ops;
  private final GraphDef.Builder graph = GraphDef.newBuilder().setVersions(Versions.ours());

  /** The tensors of each argument, and of each output of a node, by their names in the function. */
  private final Map<String, List<String>> tensors = new HashMap<>();

  /** The nodes to wait for in place of an argument or node. */
  private final Map<String, List<String>> nodes = new HashMap<>();

  private final List<String> arguments = new ArrayList<>();
  private final List<String> results = new ArrayList<>();
  private final List<String> controlResults = new ArrayList<>();

  /**
   * @param known what is known of the arguments; empty if nothing
   * @param ops knows the ops and functions that the body uses
   */
  FunctionInstantiation(
      FunctionDef function,
      OpDef signature,
      Map<String, AttrValue> attributes,
      List<KnownShape> known,
      Graph ops) {
    this.function = function;
    this.signature = signature;
    this.bound = new BoundAttributes(signature, attributes);
    this.ops = ops;
    addArguments(known);
    List<NodeDef.Builder> body = new ArrayList<>();
    Set<String> dispensable = UnknownOps.dispensable(function, op -> ops.declaration(op).isEmpty());
    for (NodeDef node : function.getNodeDefList()) {
      if (dispensable.contains(node.getName())) {
        continue;
      }
      try {
        body.add(bind(node));
      } catch (TributaryException e) {
        throw e.at(ImportNode.place(node));
      }
    }
    for (NodeDef.Builder node : body) {
      graph.addNode(connected(node));
    }
    addResults();
  }

  GraphDef graph() {
    return graph.build();
  }

  List<String> arguments() {
    return arguments;
  }

  List<String> results() {
    return results;
  }

  List<String> controlResults() {
    return controlResults;
  }

  private void addArguments(List<KnownShape> known) {
    for (int i = 0; i < signature.inputs().size(); i++) {
      ArgDef argument = signature.inputs().get(i);
      List<org.tensorflow.proto.DataType> types = bound.typesOf(argument);
      List<String> names = new ArrayList<>();
      for (int k = 0; k < types.size(); k++) {
        String name = argument.isList() ? argument.name() + "_" + k : argument.name();
        int index = arguments.size();
        graph.addNode(argument(name, index, i, types.get(k), known));
        arguments.add(name + ":0");
        names.add(name);
      }
      nodes.put(argument.name(), names);
      tensors.put(argument.name(), names.stream().map(name -> name + ":0").toList());
    }
    if (!known.isEmpty() && known.size() != arguments.size()) {
      throw TributaryException.invalidArgument(
          "takes %d arguments, got %d", arguments.size(), known.size());
    }
  }

  private NodeDef argument(
      String name,
      int index,
      int position,
      org.tensorflow.proto.DataType type,
      List<KnownShape> known) {
    NodeDef.Builder node =
        NodeDef.newBuilder()
            .setName(name)
            .setOp("_Arg")
            .putAttr("T", org.tensorflow.proto.AttrValue.newBuilder().setType(type).build())
            .putAttr("index", AttrValues.toProto(AttrValue.of(index)));
    FunctionDef.ArgAttrs described =
        function.getArgAttrOrDefault(position, FunctionDef.ArgAttrs.getDefaultInstance());
    described.getAttrMap().forEach((key, value) -> ArgumentAttributes.copy(key, value, node));
    if (function.containsResourceArgUniqueId(position)) {
      node.putAttr(
          "_resource_arg_unique_id",
          AttrValues.toProto(AttrValue.of(function.getResourceArgUniqueIdOrThrow(position))));
    }
    if (index < known.size()) {
      if (known.get(index).shape().hasRank()) {
        node.putAttr(
            FunctionBody.ARGUMENT_SHAPE,
            AttrValues.toProto(AttrValue.of(known.get(index).shape())));
      }
      if (!known.get(index).handle().isEmpty()) {
        node.putAttr(
            FunctionBody.HANDLE_SHAPES,
            AttrValues.toProto(AttrValue.ofShapes(known.get(index).handle())));
      }
    }
    return node.build();
  }

  /** Replaces the placeholders in a node's attributes, and notes down what it makes. */
  private NodeDef.Builder bind(NodeDef node) {
    NodeDef.Builder built = node.toBuilder();
    node.getAttrMap().forEach((name, value) -> built.putAttr(name, bound.replace(value, node)));
    OpDef op = ops.lookup(node.getOp()).def();
    int at = 0;
    for (ArgDef output : op.outputs()) {
      int count = count(output, op, built);
      List<String> names = new ArrayList<>();
      for (int k = 0; k < count; k++) {
        names.add(node.getName() + ":" + at++);
      }
      tensors.put(node.getName() + ":" + output.name(), names);
    }
    if (nodes.put(node.getName(), List.of(node.getName())) != null) {
      throw TributaryException.invalidArgument(
          "the function has two nodes or arguments of this name");
    }
    return built;
  }

  private static int count(ArgDef output, OpDef op, NodeDef.Builder node) {
    if (output.numberAttr().isPresent()) {
      AttrValue count = value(output.numberAttr().get(), op, node);
      return count instanceof AttrValue.Int number
          ? BoundAttributes.count(output, number.value())
          : 1;
    }
    if (output.typeListAttr().isPresent()) {
      AttrValue types = value(output.typeListAttr().get(), op, node);
      return types instanceof AttrValue.ListValue list ? list.values().size() : 1;
    }
    return 1;
  }

  private static AttrValue value(String attribute, OpDef op, NodeDef.Builder node) {
    if (node.containsAttr(attribute)) {
      return AttrValues.toAttrValue(node.getAttrOrThrow(attribute));
    }
    AttrDef known = op.attribute(attribute);
    return known
        .defaultValue()
        .orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "attribute '%s' of type %s is missing", attribute, known.type()));
  }

  private NodeDef connected(NodeDef.Builder node) {
    List<String> texts = List.copyOf(node.getInputList());
    node.clearInput();
    try {
      for (String text : texts) {
        if (text.startsWith("^")) {
          String name = text.substring(1);
          List<String> found = nodes.get(name);
          if (found == null) {
            throw notFound(text);
          }
          found.forEach(control -> node.addInput("^" + control));
        } else {
          resolve(text).forEach(node::addInput);
        }
      }
    } catch (TributaryException e) {
      throw e.at(node.getOp() + " '" + node.getName() + "'");
    }
    return node.build();
  }

  /** The tensors that a text inside the function means. */
  private List<String> resolve(String text) {
    List<String> whole = tensors.get(text);
    if (whole != null) {
      return whole;
    }
    int colon = text.lastIndexOf(':');
    List<String> list = colon < 0 ? null : tensors.get(text.substring(0, colon));
    if (list == null) {
      throw notFound(text);
    }
    int index = index(text.substring(colon + 1));
    if (index < 0 || index >= list.size()) {
      throw TributaryException.invalidArgument(
          "input '%s' is not there: '%s' has %d values",
          text, text.substring(0, colon), list.size());
    }
    return List.of(list.get(index));
  }

  private static int index(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static TributaryException notFound(String text) {
    return TributaryException.invalidArgument(
        "input '%s' is not found: wanted an argument, argument:index, node:output or"
            + " node:output:index",
        text);
  }

  private void addResults() {
    for (ArgDef output : signature.outputs()) {
      String text = function.getRetMap().get(output.name());
      if (text == null) {
        throw TributaryException.invalidArgument(
            "has no return value for output '%s'; it has %s",
            output.name(), function.getRetMap().keySet());
      }
      List<String> values;
      try {
        values = resolve(text);
      } catch (TributaryException e) {
        throw e.at("return value '" + output.name() + "'");
      }
      int wanted = bound.typesOf(output).size();
      if (values.size() != wanted) {
        throw TributaryException.invalidArgument(
            "return value '%s' is '%s', which has %d values, wanted %d",
            output.name(), text, values.size(), wanted);
      }
      results.addAll(values);
    }
    function
        .getControlRetMap()
        .forEach(
            (name, node) -> {
              if (!nodes.containsKey(node)) {
                throw TributaryException.invalidArgument(
                    "control output '%s' is '%s', which is not a node of the function", name, node);
              }
              controlResults.addAll(nodes.get(node));
            });
  }
}
