package dev.tributary.gradients;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.op.AttrValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A copy of a function's body in the graph of the call. Confined to one thread. */
final class BodyCopy {
  private final Scope scope;
  private final FunctionBody body;
  private final Map<Output, Output> arguments = new HashMap<>();
  private final Map<Operation, Operation> copies = new HashMap<>();

  BodyCopy(Scope scope, FunctionBody body, List<Output> values) {
    this.scope = scope;
    this.body = body;
    body.requireArguments(values.stream().map(Output::type).toList());
    for (int i = 0; i < values.size(); i++) {
      arguments.put(body.arguments().get(i), values.get(i));
    }
  }

  /** Makes the operations, and returns the results; adds what must run to {@code effects}. */
  List<Output> build(List<Operation> effects) {
    for (Operation operation : body.graph().operations()) {
      if (operation.outputCount() == 0 || !arguments.containsKey(operation.output(0))) {
        copies.put(operation, copy(operation));
      }
    }
    copies.forEach(this::closeLoops);
    body.effects().forEach(effect -> effects.add(copies.get(effect)));
    return body.results().stream().map(this::value).toList();
  }

  private Operation copy(Operation operation) {
    OperationBuilder builder =
        scope.withName(operation.name()).operation(operation.type()).device(operation.device());
    operation.attributes().asMap().forEach((name, value) -> builder.attr(name, own(name, value)));
    List<Output> inputs = new ArrayList<>();
    for (int i = 0; i < operation.inputs().size(); i++) {
      boolean isMade = isMade(operation.input(i));
      inputs.add(value(isMade ? operation.input(i) : operation.input(0)));
      if (!isMade) {
        builder.pendingInput(i);
      }
    }
    builder.flatInputs(inputs);
    for (Operation control : operation.controlInputs()) {
      if (copies.containsKey(control)) {
        builder.controlInput(copies.get(control));
      }
    }
    return builder.build();
  }

  private boolean isMade(Output value) {
    return arguments.containsKey(value) || copies.containsKey(value.operation());
  }

  /** The values that come back from a loop are made after the Merges that take them. */
  private void closeLoops(Operation operation, Operation copy) {
    if (operation.declaration().flow() == FlowKind.MERGE) {
      for (int i = 0; i < operation.inputs().size(); i++) {
        if (operation.input(i).operation().declaration().flow() == FlowKind.NEXT_ITERATION) {
          scope.graph().updateInput(copy, i, value(operation.input(i)));
        }
      }
    }
  }

  private Output value(Output inBody) {
    Output argument = arguments.get(inBody);
    return argument != null ? argument : copies.get(inBody.operation()).output(inBody.index());
  }

  /** Frames and groups of the body are those of this copy only. */
  private AttrValue own(String name, AttrValue value) {
    if (name.equals("frame_name") && value instanceof AttrValue.Bytes frame) {
      return AttrValue.of(scope.prefix() + frame.text());
    }
    if (name.equals("_class") && value instanceof AttrValue.ListValue groups) {
      List<AttrValue> changed = new ArrayList<>();
      for (AttrValue group : groups.values()) {
        String text = group instanceof AttrValue.Bytes bytes ? bytes.text() : "";
        changed.add(
            text.startsWith("loc:@")
                ? AttrValue.of("loc:@" + scope.prefix() + text.substring("loc:@".length()))
                : group);
      }
      return new AttrValue.ListValue(changed);
    }
    return value;
  }
}
