package dev.tributary.internal.plan;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.Map;

/**
 * The ends of a step that is called in its own process: {@code _Arg} and {@code _Retval} nodes,
 * which read and write the step's call frame.
 */
public final class CallBoundary implements Boundary {
  private final OpRegistry registry;

  public CallBoundary(OpRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void check(StepSignature signature) {
    // Arguments and results have places of their own, so a fed value can be fetched, too.
  }

  @Override
  public StepNode feed(Output output, int index) {
    return node("_Arg", "_arg_", output, index, List.of(output.type()));
  }

  @Override
  public StepNode fetch(Output output, int index) {
    return node("_Retval", "_retval_", output, index, List.of());
  }

  private StepNode node(String op, String prefix, Output value, int index, List<DataType> outputs) {
    OpDeclaration declaration = registry.lookup(op);
    Attributes attributes =
        Attributes.of(Map.of("T", AttrValue.of(value.type()), "index", AttrValue.of(index)));
    String name = prefix + value.operation().name() + "_" + value.index() + "_" + index;
    return new StepNode(name, declaration, attributes, DeviceSpec.empty(), outputs);
  }
}
