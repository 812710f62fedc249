package dev.tributary.internal.function;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Copies the operations of bodies into a step graph. Confined to one expansion. */
final class Inliner {
  private static final String COLOCATION = "_class";
  private static final String GROUP = "loc:@";
  private static final String FRAME = "frame_name";

  private final Expander expander;
  private final NewNodes nodes;

  Inliner(Expander expander, NewNodes nodes) {
    this.expander = expander;
    this.nodes = nodes;
  }

  Call.Inlined inline(Call call) {
    Map<Output, Source> arguments = new HashMap<>();
    Map<Operation, StepNode> producers = new HashMap<>();
    for (int i = 0; i < call.arguments().size(); i++) {
      Output argument = call.body().arguments().get(i);
      arguments.put(argument, call.arguments().get(i));
      producers.put(argument.operation(), call.arguments().get(i).node());
    }
    Map<Operation, StepNode> copies = new LinkedHashMap<>();
    for (Operation operation : call.body().graph().operations()) {
      if (!producers.containsKey(operation)) {
        copies.put(operation, copy(operation, call, producers));
      }
    }
    copies.forEach((operation, copy) -> connect(operation, copy, call, arguments, copies));
    copies.values().forEach(copy -> expander.add(copy, call.inFlow()));
    List<Source> results = new ArrayList<>();
    call.body().results().forEach(result -> results.add(source(result, arguments, copies)));
    return new Call.Inlined(results, effects(call, copies));
  }

  private static StepNode copy(Operation operation, Call call, Map<Operation, StepNode> producers) {
    DeviceSpec device =
        call.sameDevice() ? call.device() : operation.device().orElse(call.device());
    StepNode copy =
        new StepNode(
            call.name() + "/" + operation.name(),
            operation.declaration(),
            attributes(operation, call, producers),
            device,
            operation.outputTypes(),
            operation.outputShapes());
    copy.comesFrom(call.body().function());
    return copy;
  }

  private static Attributes attributes(
      Operation operation, Call call, Map<Operation, StepNode> producers) {
    boolean enters = operation.declaration().flow() == FlowKind.ENTER;
    boolean grouped = operation.attributes().has(COLOCATION);
    if (!enters && !grouped) {
      return operation.attributes();
    }
    Map<String, AttrValue> changed = new HashMap<>(operation.attributes().asMap());
    if (enters) {
      changed.put(FRAME, AttrValue.of(call.name() + "/" + operation.attributes().string(FRAME)));
    }
    if (grouped && changed.get(COLOCATION) instanceof AttrValue.ListValue groups) {
      changed.put(COLOCATION, groups(groups, call, producers));
    }
    return Attributes.of(changed);
  }

  private static AttrValue groups(
      AttrValue.ListValue groups, Call call, Map<Operation, StepNode> producers) {
    List<AttrValue> changed = new ArrayList<>();
    for (AttrValue group : groups.values()) {
      String text = group instanceof AttrValue.Bytes bytes ? bytes.text() : "";
      if (!text.startsWith(GROUP)) {
        changed.add(group);
        continue;
      }
      String name = text.substring(GROUP.length());
      Optional<StepNode> producer = call.body().graph().find(name).map(producers::get);
      changed.add(
          AttrValue.of(GROUP + producer.map(StepNode::name).orElse(call.name() + "/" + name)));
    }
    return new AttrValue.ListValue(changed);
  }

  private static void connect(
      Operation operation,
      StepNode copy,
      Call call,
      Map<Output, Source> arguments,
      Map<Operation, StepNode> copies) {
    for (Output input : operation.inputs()) {
      copy.inputs().add(source(input, arguments, copies));
    }
    for (Operation control : operation.controlInputs()) {
      StepNode inside = copies.get(control);
      if (inside != null) {
        copy.controlInputs().add(inside);
      } else {
        call.gate()
            .filter(g -> !copy.controlInputs().contains(g))
            .ifPresent(copy.controlInputs()::add);
      }
    }
    // A constant may be there before the call begins, unless it must not be there at all.
    boolean waits = call.inFlow() || !operation.declaration().isPure();
    if (copy.inputs().isEmpty() && copy.controlInputs().isEmpty() && waits) {
      call.gate().ifPresent(copy.controlInputs()::add);
    }
  }

  private static Source source(
      Output value, Map<Output, Source> arguments, Map<Operation, StepNode> copies) {
    Source argument = arguments.get(value);
    return argument != null ? argument : new Source(copies.get(value.operation()), value.index());
  }

  private List<StepNode> effects(Call call, Map<Operation, StepNode> copies) {
    Effects effects = Effects.of(call.body());
    effects.inLoops().forEach(operation -> expander.addRoot(copies.get(operation)));
    List<StepNode> joined = new ArrayList<>();
    effects.joined().forEach(operation -> joined.add(copies.get(operation)));
    if (!effects.mayBeDead() || joined.isEmpty()) {
      return joined;
    }
    StepNode trigger = nodes.controlTrigger(call.name() + "/effects", call.device(), joined);
    List<StepNode> end = new ArrayList<>(List.of(trigger));
    call.gate().ifPresent(end::add);
    return List.of(nodes.noOp(call.name() + "/effects_done", call.device(), end));
  }
}
