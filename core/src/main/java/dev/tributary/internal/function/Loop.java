package dev.tributary.internal.function;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One loop in the making. Confined to one expansion. */
final class Loop {
  /**
   * The role of an input in the loop.
   *
   * @param result its place among the body's results
   */
  private record Variable(int result, StepNode merge, String suffix) {}

  private final Expander expander;
  private final NewNodes nodes;
  private final String name;
  private final DeviceSpec device;
  private final List<Source> inputs;
  private final FunctionBody cond;
  private final FunctionBody body;
  private final FrameAttributes frame;
  private final List<StepNode> controls;
  private final List<Variable> variables = new ArrayList<>();

  /** For each input, what the condition sees of it in an iteration. */
  private final List<Source> atStart = new ArrayList<>();

  Loop(
      Expander expander,
      NewNodes nodes,
      StepNode node,
      List<Source> inputs,
      FunctionBody cond,
      FunctionBody body,
      FrameAttributes frame) {
    this.expander = expander;
    this.nodes = nodes;
    this.name = node.name();
    this.device = node.requestedDevice();
    this.inputs = inputs;
    this.cond = cond;
    this.body = body;
    this.frame = frame;
    this.controls =
        node.controlInputs().isEmpty()
            ? List.of()
            : List.of(nodes.noOp(name + "/LoopControlInputs", device, node.controlInputs()));
  }

  /** Makes the nodes, and returns what the inputs have become when the loop has ended. */
  List<Source> build() {
    enter();
    Source condition = condition();
    List<StepNode> switches = new ArrayList<>();
    for (Variable variable : variables) {
      switches.add(
          nodes.switchOn(
              name + "/switch" + variable.suffix(),
              device,
              new Source(variable.merge(), 0),
              condition,
              List.of()));
    }
    StepNode pivot =
        nodes
            .identity(
                name + "/loop_body_control", device, new Source(switches.get(0), 1), List.of())
            .node();
    iterate(switches, pivot);
    return exits(switches);
  }

  private boolean isConstant(int input) {
    return body.results().get(input).equals(body.arguments().get(input));
  }

  private void enter() {
    for (int i = 0; i < inputs.size(); i++) {
      if (isConstant(i)) {
        atStart.add(
            nodes.enter(
                name + "/enter_" + i, DeviceSpec.empty(), inputs.get(i), frame, true, controls));
      } else {
        atStart.add(open(inputs.get(i), i, "_" + i));
      }
    }
    if (variables.isEmpty()) {
      open(idle(), inputs.size(), "_idle");
    }
  }

  /** Adds a variable, and returns its value at the start of an iteration. */
  private Source open(Source initial, int result, String suffix) {
    Source entered = nodes.enter(name + "/enter" + suffix, device, initial, frame, false, controls);
    StepNode merge = nodes.merge(name + "/merge" + suffix, device, List.of(entered, entered));
    variables.add(new Variable(result, merge, suffix));
    return new Source(merge, 0);
  }

  /** A loop has at least one variable, if need be one that nobody looks at. */
  private Source idle() {
    Optional<StepNode> gate =
        inputs.isEmpty()
            ? controls.stream().findFirst()
            : Optional.of(
                nodes
                    .identity(name + "/idle_gate", DeviceSpec.empty(), inputs.get(0), List.of())
                    .node());
    return expander
        .inline(
            new Call(
                name + "/idle", expander.derived().zero(), List.of(), gate, device, false, true))
        .results()
        .get(0);
  }

  private Source condition() {
    StepNode start = variables.get(0).merge();
    Call.Inlined test =
        expander.inline(
            new Call(name + "/cond", cond, atStart, Optional.of(start), device, false, true));
    Source given = test.results().get(0);
    boolean isScalar = given.shape().hasRank() && given.shape().rank() == 0;
    Source value =
        given.type() == DataType.BOOL && isScalar
            ? given
            : nodes.toBool(name + "/cond_bool", device, given);
    return nodes.pass("LoopCond", name + "/LoopCond", device, value, test.effects());
  }

  /** Puts in the body and leads its results to the next iteration. */
  private void iterate(List<StepNode> switches, StepNode pivot) {
    List<Source> arguments = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < inputs.size(); i++) {
      // A constant of the loop is there in the iteration that does not take place, too.
      arguments.add(
          isConstant(i)
              ? nodes.identity(
                  name + "/constant_" + i, DeviceSpec.empty(), atStart.get(i), List.of(pivot))
              : new Source(switches.get(next++), 1));
    }
    Call.Inlined iteration =
        expander.inline(
            new Call(name + "/body", body, arguments, Optional.of(pivot), device, false, true));
    for (int v = 0; v < variables.size(); v++) {
      Variable variable = variables.get(v);
      Source result =
          variable.result() < iteration.results().size()
              ? iteration.results().get(variable.result())
              : new Source(switches.get(v), 1);
      variable
          .merge()
          .inputs()
          .set(
              1,
              nodes.pass(
                  "NextIteration",
                  name + "/next_iteration" + variable.suffix(),
                  device,
                  result,
                  iteration.effects()));
    }
  }

  private List<Source> exits(List<StepNode> switches) {
    List<Source> exits = new ArrayList<>();
    for (int v = 0; v < variables.size(); v++) {
      exits.add(
          nodes.pass(
              "Exit",
              name + "/exit" + variables.get(v).suffix(),
              device,
              new Source(switches.get(v), 0),
              List.of()));
    }
    List<StepNode> ended = exits.stream().map(Source::node).toList();
    List<Source> results = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < inputs.size(); i++) {
      // Whoever uses a constant of the loop after it may count on the loop's effects.
      results.add(
          isConstant(i)
              ? nodes.identity(name + "/output_" + i, DeviceSpec.empty(), inputs.get(i), ended)
              : exits.get(next++));
    }
    return inputs.isEmpty() ? exits : results;
  }
}
