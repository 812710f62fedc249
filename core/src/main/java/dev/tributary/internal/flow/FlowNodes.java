package dev.tributary.internal.flow;

import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * The nodes at the borders of contexts. They take values of one context and give them to another,
 * so they are made past the capture that other operations go through.
 */
final class FlowNodes {
  private FlowNodes() {}

  /** A Switch whose outputs belong to the scope's context and whose inputs to the one around it. */
  static Operation switchOn(
      Scope scope, Optional<FlowContext> inputsFrom, Output data, Output predicate) {
    OperationBuilder builder =
        scope
            .operation(data.isRef() ? "RefSwitch" : "Switch")
            .borderInputs(List.of(data, predicate))
            .attr("T", data.type());
    return after(inputsFrom, List.of(data, predicate), builder).build();
  }

  static Operation merge(Scope scope, List<Output> inputs) {
    boolean refs = inputs.stream().allMatch(Output::isRef);
    return scope
        .operation(refs ? "RefMerge" : "Merge")
        .borderInputs(inputs)
        .attr("T", inputs.get(0).type())
        .attr("N", inputs.size())
        .build();
  }

  static Operation enter(
      Scope scope,
      Optional<FlowContext> inputFrom,
      Output data,
      String frame,
      boolean constant,
      int parallel,
      Shape shape) {
    OperationBuilder builder =
        scope
            .operation(data.isRef() ? "RefEnter" : "Enter")
            .borderInputs(List.of(data))
            .attr("T", data.type())
            .attr("frame_name", frame)
            .attr("is_constant", constant)
            .attr("parallel_iterations", parallel)
            .outputShape(0, shape);
    return after(inputFrom, List.of(data), builder).build();
  }

  static Output exit(Scope scope, Output data) {
    return scope
        .operation(data.isRef() ? "RefExit" : "Exit")
        .borderInputs(List.of(data))
        .attr("T", data.type())
        .buildOutput();
  }

  static Operation nextIteration(Scope scope, Output data) {
    return scope.operation(data.isRef() ? "RefNextIteration" : "NextIteration").input(data).build();
  }

  /**
   * A node that takes its inputs from a context waits, like all others there, until that context
   * runs.
   */
  private static OperationBuilder after(
      Optional<FlowContext> context, List<Output> inputs, OperationBuilder builder) {
    context.flatMap(c -> c.pivotFor(inputs, List.of())).ifPresent(builder::controlInput);
    return builder;
  }
}
