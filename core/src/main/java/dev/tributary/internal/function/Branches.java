package dev.tributary.internal.function;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes functional branches into Switch and Merge. What a branch takes passes a Switch, so it is
 * dead on all branches but one; nodes of a branch that take nothing wait for the branch's pivot.
 * Confined to one expansion.
 */
final class Branches {
  private static final String LOWERED_BY_TENSORFLOW = "_lower_using_switch_merge";

  private final Expander expander;
  private final NewNodes nodes;

  Branches(Expander expander, NewNodes nodes) {
    this.expander = expander;
    this.nodes = nodes;
  }

  void lowerIf(StepNode node) {
    DeviceSpec device = node.requestedDevice();
    String name = node.name();
    Source predicate = predicate(node, device);
    StepNode chooser =
        nodes.switchOn(name + "/switch_pred", device, predicate, predicate, node.controlInputs());
    List<StepNode> pivots =
        List.of(
            nodes.identity(name + "/pivot_t", device, new Source(chooser, 1), List.of()).node(),
            nodes.identity(name + "/pivot_f", device, new Source(chooser, 0), List.of()).node());
    List<Source> inputs = node.inputs().subList(1, node.inputs().size());
    List<List<Source>> arguments = List.of(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < inputs.size(); i++) {
      StepNode data = nodes.dataSwitch(name + "/input_" + i, inputs.get(i), predicate);
      arguments.get(0).add(new Source(data, 1));
      arguments.get(1).add(new Source(data, 0));
    }
    join(
        node,
        inputs,
        List.of("then", "else"),
        List.of(Expander.function(node, "then_branch"), Expander.function(node, "else_branch")),
        pivots,
        arguments);
  }

  void lowerCase(StepNode node) {
    DeviceSpec device = node.requestedDevice();
    String name = node.name();
    List<AttrValue> functions = node.attributes().list("branches");
    int count = functions.size();
    Source index = node.inputs().get(0);
    StepNode chooser =
        nodes.switchN(name + "/branch_index", device, index, index, count, node.controlInputs());
    List<Source> inputs = node.inputs().subList(1, node.inputs().size());
    List<String> labels = new ArrayList<>();
    List<AttrValue.Function> branches = new ArrayList<>();
    List<StepNode> pivots = new ArrayList<>();
    List<List<Source>> arguments = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      labels.add("branch" + b);
      branches.add((AttrValue.Function) functions.get(b));
      pivots.add(
          nodes.identity(name + "/pivot_" + b, device, new Source(chooser, b), List.of()).node());
      arguments.add(new ArrayList<>());
    }
    for (int i = 0; i < inputs.size(); i++) {
      StepNode data = nodes.dataSwitchN(name + "/input_" + i, inputs.get(i), index, count);
      for (int b = 0; b < count; b++) {
        arguments.get(b).add(new Source(data, b));
      }
    }
    join(node, inputs, labels, branches, pivots, arguments);
  }

  private Source predicate(StepNode node, DeviceSpec device) {
    Source given = node.inputs().get(0);
    boolean isScalar = given.shape().hasRank() && given.shape().rank() == 0;
    boolean trusted =
        node.attributes().has(LOWERED_BY_TENSORFLOW)
            && node.attributes().bool(LOWERED_BY_TENSORFLOW);
    return given.type() == DataType.BOOL && (isScalar || trusted)
        ? given
        : nodes.toBool(node.name() + "/predicate", device, given);
  }

  /** Puts the branches in, and lets the results of the one that runs be those of the node. */
  private void join(
      StepNode node,
      List<Source> inputs,
      List<String> labels,
      List<AttrValue.Function> functions,
      List<StepNode> pivots,
      List<List<Source>> arguments) {
    DeviceSpec device = node.requestedDevice();
    List<Call.Inlined> inlined = new ArrayList<>();
    List<Source> ends = new ArrayList<>();
    for (int b = 0; b < functions.size(); b++) {
      String name = node.name() + "/" + labels.get(b);
      FunctionBody body = expander.functions().body(functions.get(b));
      try {
        Expander.requireTypes(node, body, inputs, node.outputTypes());
      } catch (TributaryException e) {
        throw e.at("branch '" + labels.get(b) + "'");
      }
      Call.Inlined branch =
          expander.inline(
              new Call(
                  name, body, arguments.get(b), Optional.of(pivots.get(b)), device, false, true));
      inlined.add(branch);
      ends.add(
          nodes.identity(name + "/done", device, new Source(pivots.get(b), 0), branch.effects()));
    }
    List<Source> results = new ArrayList<>();
    List<StepNode> before = new ArrayList<>();
    before.add(nodes.merge(node.name() + "/branch_executed", device, ends));
    for (int i = 0; i < node.outputTypes().size(); i++) {
      int output = i;
      List<Source> merged = inlined.stream().map(b -> b.results().get(output)).toList();
      StepNode merge = nodes.merge(node.name() + "/output_" + i, device, merged);
      results.add(new Source(merge, 0));
      before.add(merge);
    }
    expander.replace(node, results, nodes.noOp(node.name(), device, before));
  }
}
