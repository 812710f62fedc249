package dev.tributary.internal.function;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.op.NativeCall;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One expansion of a step graph. Nodes are copied in order; a call is replaced by its body, in
 * which there may be calls again. Edges lead to the calls until the end, when each is led to what
 * stands for the call then: a value of the body, or the node that runs when the call has ended.
 * Confined to one thread.
 */
final class Expander {
  private final StepGraph step;
  private final FunctionLibrary functions;
  private final NewNodes nodes;
  private final Inliner inliner;
  private final Branches branches;
  private final Loops loops;
  private final DerivedBodies derived;

  /** The values that replace the outputs of calls. */
  private final Map<Source, Source> values = new HashMap<>();

  /** The nodes that run when calls have ended. */
  private final Map<StepNode, StepNode> ends = new HashMap<>();

  /** Nodes in loops of bodies that run for their effect. */
  private final List<StepNode> addedRoots = new ArrayList<>();

  /** The functions that are being expanded, the outermost first. */
  private final Map<Graph, String> path = new LinkedHashMap<>();

  private final boolean inFlow;

  Expander(StepGraph step, Graph graph) {
    this.step = step;
    this.functions = FunctionLibrary.of(graph);
    this.inFlow = step.hasControlFlow();
    this.nodes = new NewNodes(graph.registry());
    this.inliner = new Inliner(this, nodes);
    this.branches = new Branches(this, nodes);
    this.loops = new Loops(this, nodes);
    this.derived = new DerivedBodies(graph);
  }

  void run() {
    step.nodes().forEach(node -> add(node, inFlow));
    for (StepNode node : nodes.all()) {
      node.inputs().replaceAll(this::resolved);
      node.controlInputs().replaceAll(control -> ends.getOrDefault(control, control));
    }
    Map<StepNode, String> roots = new LinkedHashMap<>();
    step.nodes().stream()
        .filter(step::isRoot)
        .forEach(root -> roots.put(ends.getOrDefault(root, root), step.rootLabel(root)));
    addedRoots.forEach(root -> roots.putIfAbsent(ends.getOrDefault(root, root), ""));
    step.replaceAll(nodes.all(), roots);
    step.prune();
  }

  /** Adds a node, or what a call stands for. */
  void add(StepNode node, boolean flowing) {
    if (!FunctionExpansion.isExpanded(node)) {
      nodes.add(node);
      return;
    }
    try {
      expand(node, flowing);
    } catch (TributaryException e) {
      throw e.at(node.toString());
    }
  }

  void addRoot(StepNode node) {
    addedRoots.add(node);
  }

  FunctionLibrary functions() {
    return functions;
  }

  DerivedBodies derived() {
    return derived;
  }

  /** Puts a body into the graph, unless it is inside itself. */
  Call.Inlined inline(Call call) {
    String function = call.body().function();
    int most = functions.mostNodes();
    if (nodes.all().size() - step.nodes().size() + call.body().graph().size() > most) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "the calls of functions in the step stand for more than " + most + " nodes");
    }
    if (path.putIfAbsent(call.body().graph(), function) != null) {
      throw TributaryException.invalidArgument(
          "function '%s' calls itself: %s -> %s; recursion cannot run",
          function, String.join(" -> ", path.values()), function);
    }
    try {
      return inliner.inline(call);
    } catch (TributaryException e) {
      throw e.at("function '" + function + "'");
    } finally {
      path.remove(call.body().graph());
    }
  }

  /** Says what stands for a call from now on. */
  void replace(StepNode call, List<Source> results, StepNode end) {
    for (int i = 0; i < results.size(); i++) {
      values.put(new Source(call, i), results.get(i));
    }
    ends.put(call, end);
  }

  private Source resolved(Source value) {
    Source found = value;
    for (Source next = values.get(found); next != null; next = values.get(found)) {
      found = next;
    }
    return found;
  }

  private void expand(StepNode node, boolean flowing) {
    Set<OpFlag> flags = node.declaration().flags();
    if (flags.contains(OpFlag.NATIVE_CALL)) {
      AttrValue.Function called = NativeCall.of(node.declaration().def(), node.attributes());
      call(node, functions.body(called), node.inputs(), node.requestedDevice(), true, flowing);
    } else if (flags.contains(OpFlag.CALLS_FUNCTION)) {
      FunctionBody body = functions.body(function(node, "f"));
      call(node, body, node.inputs(), node.requestedDevice(), false, flowing);
    } else if (flags.contains(OpFlag.CALLS_ELSEWHERE)) {
      FunctionBody body = functions.body(function(node, "f"));
      List<Source> arguments = node.inputs().subList(1, node.inputs().size());
      call(node, body, arguments, target(node), true, flowing);
    } else if (flags.contains(OpFlag.DIFFERENTIATES_FUNCTION)) {
      FunctionBody body = derived.gradient(function(node, "f"));
      call(node, body, node.inputs(), node.requestedDevice(), false, flowing);
    } else if (flags.contains(OpFlag.CALLS_ONE_OF_TWO)) {
      branches.lowerIf(node);
    } else if (flags.contains(OpFlag.CALLS_ONE_OF_MANY)) {
      branches.lowerCase(node);
    } else if (flags.contains(OpFlag.CALLS_IN_LOOP)) {
      loops.lowerWhile(node);
    } else {
      loops.lowerFor(node);
    }
  }

  static AttrValue.Function function(StepNode node, String attribute) {
    return (AttrValue.Function) node.attributes().find(attribute).orElseThrow();
  }

  /** The device of a remote call, which must be known before the step runs. */
  private static DeviceSpec target(StepNode node) {
    StepNode source = node.inputs().get(0).node();
    String device = source.attributes().tensor("value").stringValue();
    return DeviceSpec.parse(device).orElse(node.requestedDevice());
  }

  private void call(
      StepNode node,
      FunctionBody body,
      List<Source> arguments,
      DeviceSpec device,
      boolean sameDevice,
      boolean flowing) {
    requireTypes(node, body, arguments, node.outputTypes());
    List<StepNode> controls = node.controlInputs();
    List<Source> passed = new ArrayList<>();
    Optional<StepNode> gate = Optional.empty();
    boolean gated = flowing && !arguments.isEmpty() || !controls.isEmpty();
    for (int i = 0; i < arguments.size(); i++) {
      Source argument = arguments.get(i);
      passed.add(
          gated || argument.isRef()
              ? nodes.identity(
                  "Func/" + node.name() + "/input/_" + i, DeviceSpec.empty(), argument, controls)
              : argument);
    }
    if (gated) {
      List<StepNode> before = new ArrayList<>(controls);
      if (flowing) {
        passed.forEach(argument -> before.add(argument.node()));
      }
      gate = Optional.of(nodes.noOp("Func/" + node.name() + "/input_control_node", device, before));
    }
    Call.Inlined inlined =
        inline(new Call(node.name(), body, passed, gate, device, sameDevice, flowing));
    List<Source> results = after(node, inlined, device);
    List<StepNode> before = new ArrayList<>(inlined.effects());
    results.forEach(result -> before.add(result.node()));
    if (before.isEmpty()) {
      gate.ifPresent(before::add);
    }
    replace(node, results, nodes.noOp(node.name(), device, before));
  }

  /** The results of a call that has effects are there when these have taken place. */
  private List<Source> after(StepNode node, Call.Inlined inlined, DeviceSpec device) {
    if (inlined.effects().isEmpty()) {
      return inlined.results();
    }
    List<Source> results = new ArrayList<>();
    for (int i = 0; i < inlined.results().size(); i++) {
      results.add(
          nodes.identity(
              "Func/" + node.name() + "/output/_" + i,
              DeviceSpec.empty(),
              inlined.results().get(i),
              inlined.effects()));
    }
    return results;
  }

  static void requireTypes(
      StepNode node, FunctionBody body, List<Source> arguments, List<DataType> results) {
    body.requireArguments(arguments.stream().map(Source::type).toList());
    body.requireResults(results);
  }
}
