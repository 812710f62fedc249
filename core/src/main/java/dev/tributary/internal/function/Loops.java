package dev.tributary.internal.function;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes functional loops into frames. A value that the body returns as it got it is a constant of
 * the loop, and needs no Merge, Switch and NextIteration. Confined to one expansion.
 */
final class Loops {
  private final Expander expander;
  private final NewNodes nodes;

  Loops(Expander expander, NewNodes nodes) {
    this.expander = expander;
    this.nodes = nodes;
  }

  void lowerWhile(StepNode node) {
    FunctionBody cond = expander.functions().body(Expander.function(node, "cond"));
    FunctionBody body = expander.functions().body(Expander.function(node, "body"));
    long parallel = node.attributes().integer("parallel_iterations");
    if (parallel < 1) {
      throw TributaryException.invalidArgument(
          "attribute 'parallel_iterations' must be 1 or more, got %d", parallel);
    }
    List<Source> results = lower(node, node.inputs(), cond, body, parallel);
    end(node, results);
  }

  /** A loop that counts; its state is what the body makes of it. */
  void lowerFor(StepNode node) {
    AttrValue.Function called = Expander.function(node, "body");
    List<DataType> state = node.outputTypes();
    FunctionBody cond = expander.derived().countedCondition(state);
    FunctionBody body = expander.derived().countedBody(called, state);
    List<Source> inputs = new ArrayList<>(node.inputs());
    inputs.set(0, start(node));
    List<Source> results = lower(node, inputs, cond, body, 1);
    end(node, results.subList(results.size() - state.size(), results.size()));
  }

  private Source start(StepNode node) {
    return expander
        .inline(
            new Call(
                node.name() + "/start",
                expander.derived().countedStart(),
                node.inputs().subList(0, 3),
                node.controlInputs().stream().findFirst(),
                node.requestedDevice(),
                false,
                false))
        .results()
        .get(0);
  }

  private void end(StepNode node, List<Source> results) {
    List<StepNode> before = new ArrayList<>();
    results.forEach(result -> before.add(result.node()));
    if (before.isEmpty()) {
      before.addAll(node.controlInputs());
    }
    expander.replace(node, results, nodes.noOp(node.name(), node.requestedDevice(), before));
  }

  private List<Source> lower(
      StepNode node, List<Source> inputs, FunctionBody cond, FunctionBody body, long parallel) {
    requireLoop(node, inputs, cond, body);
    return new Loop(
            expander, nodes, node, inputs, cond, body, new FrameAttributes(node.name(), parallel))
        .build();
  }

  private static void requireLoop(
      StepNode node, List<Source> inputs, FunctionBody cond, FunctionBody body) {
    List<DataType> types = inputs.stream().map(Source::type).toList();
    cond.requireArguments(types);
    if (cond.results().size() != 1) {
      throw TributaryException.invalidArgument(
          "the condition '%s' of %s must return one value, it returns %d",
          cond.function(), node, cond.results().size());
    }
    Expander.requireTypes(node, body, inputs, types);
  }
}
