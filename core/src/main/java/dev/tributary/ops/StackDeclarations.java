package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.ResourceContainer;
import dev.tributary.kernel.VariableResource;
import dev.tributary.kernel.flow.StepResources;
import dev.tributary.kernel.flow.TensorStack;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * The stack ops, in their present form and in the old one with a reference to a pair of strings for
 * a handle.
 */
final class StackDeclarations {
  private StackDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("StackV2")
            .input("max_size: int32")
            .output("handle: resource")
            .attr("elem_type: type")
            .attr("stack_name: string = ''")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(
                node -> {
                  String hint = hint(node.name(), node.attributes());
                  DataType type = node.attributes().type("elem_type");
                  return c -> {
                    String name = StepResources.uniqueName(hint);
                    c.step()
                        .scratch()
                        .add(name, new TensorStack(name, type, c.input(0).intValue()));
                    c.setOutput(0, StepResources.handle(c, name, TensorStack.class));
                  };
                })
            .notDifferentiable(),
        op("StackPushV2")
            .input("handle: resource")
            .input("elem: T")
            .output("output: T")
            .attr("T: type")
            .attr("swap_memory: bool = false")
            .stateful()
            .shape(c -> c.output(0, c.input(1)))
            .kernel(node -> c -> push(c, StepResources.lookup(c, 0, TensorStack.class)))
            .notDifferentiable(),
        op("StackPopV2")
            .input("handle: resource")
            .output("elem: elem_type")
            .attr("elem_type: type")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(
                node -> c -> c.setOutput(0, StepResources.lookup(c, 0, TensorStack.class).pop()))
            .notDifferentiable(),
        op("StackCloseV2")
            .input("handle: resource")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(node -> c -> StepResources.lookup(c, 0, TensorStack.class).close())
            .notDifferentiable(),
        op("Stack")
            .output("handle: Ref(string)")
            .attr("elem_type: type")
            .attr("stack_name: string = ''")
            .stateful()
            .shape(c -> c.output(0, Shape.of(2)))
            .kernel(
                node -> {
                  String hint = hint(node.name(), node.attributes());
                  DataType type = node.attributes().type("elem_type");
                  return c ->
                      c.setRefOutput(
                          0, makeOld(c.step().scratch(), StepResources.uniqueName(hint), type));
                })
            .notDifferentiable(),
        op("StackPush")
            .input("handle: Ref(string)")
            .input("elem: T")
            .output("output: T")
            .attr("T: type")
            .attr("swap_memory: bool = false")
            .shape(c -> c.output(0, c.input(1)))
            .kernel(node -> c -> push(c, oldStack(c)))
            .notDifferentiable(),
        op("StackPop")
            .input("handle: Ref(string)")
            .output("elem: elem_type")
            .attr("elem_type: type")
            .shape(ShapeRules::unknown)
            .kernel(node -> c -> c.setOutput(0, oldStack(c).pop()))
            .notDifferentiable(),
        op("StackClose")
            .input("handle: Ref(string)")
            .shape(ShapeRules::unknown)
            .kernel(node -> c -> oldStack(c).close())
            .notDifferentiable());
  }

  private static String hint(String node, Attributes attributes) {
    return attributes.string("stack_name").isEmpty() ? node : attributes.string("stack_name");
  }

  private static void push(KernelContext c, TensorStack stack) {
    stack.push(c.input(1));
    c.setOutput(0, c.input(1).retain());
  }

  /**
   * The handle is a variable of the step with the stack's name in it, so that it can be passed on
   * as a reference.
   */
  private static VariableResource makeOld(ResourceContainer scratch, String name, DataType type) {
    scratch.add(name, new TensorStack(name, type, -1));
    VariableResource handle = new VariableResource(name, DataType.STRING);
    handle.assign(Tensor.of("_stacks", name));
    scratch.add(name + "/handle", handle);
    return handle;
  }

  private static TensorStack oldStack(KernelContext c) {
    try (Tensor handle = c.refInput(0).read()) {
      return c.step().scratch().lookup(handle.getString(1), TensorStack.class);
    }
  }
}
