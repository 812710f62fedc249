package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.ResourceContainer;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.flow.StepResources;
import dev.tributary.internal.kernel.flow.StitchKernels;
import dev.tributary.internal.kernel.flow.TensorStack;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stacks, which live for a step, and ops that take tensors apart by number and put them together
 * again.
 */
public final class DataFlowOps {
  private final Scope scope;

  DataFlowOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(stacks());
    all.addAll(stitching());
    return all;
  }

  /** In their present form, and in the old one whose handle refers to a pair of strings. */
  private static List<OpDeclaration> stacks() {
    return List.of(
        op("StackV2")
            .input("max_size: int32")
            .output("handle: resource")
            .attr("elem_type: type")
            .attr("stack_name: string = ''")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
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
            .flag(OpFlag.NEVER_WAITS)
            .shape(c -> c.output(0, c.input(1)))
            .kernel(node -> c -> push(c, StepResources.lookup(c, 0, TensorStack.class)))
            .notDifferentiable(),
        op("StackPopV2")
            .input("handle: resource")
            .output("elem: elem_type")
            .attr("elem_type: type")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
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
    stack.push(c.input(1), c.allocator().budget());
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

  private static List<OpDeclaration> stitching() {
    return List.of(
        stitch("DynamicStitch"),
        stitch("ParallelDynamicStitch"),
        op("DynamicPartition")
            .input("data: T")
            .input("partitions: int32")
            .output("outputs: num_partitions * T")
            .attr("num_partitions: int >= 1")
            .attr("T: type")
            .shape(DataFlowOps::partitionShape)
            .kernel(
                node -> {
                  int count = node.attributes().int32("num_partitions");
                  return c -> StitchKernels.partition(c, count);
                })
            .gradAll(DataFlowOps::partitionGradient));
  }

  private static OpDeclaration stitch(String name) {
    return op(name)
        .input("indices: N * int32")
        .input("data: N * T")
        .output("merged: T")
        .attr("N: int >= 1")
        .attr("T: type")
        .shape(DataFlowOps::stitchShape)
        .kernel(node -> StitchKernels::stitch)
        .grad(DataFlowOps::stitchGradient);
  }

  private static void partitionShape(InferenceContext c) {
    Shape data = c.input(0);
    Shape partitions = c.input(1);
    Shape rest = Shape.unknown();
    if (data.hasRank() && partitions.hasRank()) {
      rest = rest(data, partitions);
    }
    for (int i = 0; i < c.outputCount(); i++) {
      c.output(i, Shape.ofRank(1).concatenate(rest));
    }
  }

  private static void stitchShape(InferenceContext c) {
    int count = c.inputCount() / 2;
    Shape slice = Shape.unknown();
    long rows = 0;
    for (int i = 0; i < count; i++) {
      if (c.input(i).hasRank() && c.input(count + i).hasRank()) {
        slice = slice.merge(rest(c.input(count + i), c.input(i)));
      }
      Optional<Tensor> indices = c.constant(i);
      if (indices.isEmpty()) {
        rows = Shape.UNKNOWN;
      } else if (rows != Shape.UNKNOWN) {
        for (long index : indices.get().toIndices()) {
          rows = Math.max(rows, index + 1);
        }
      }
    }
    c.output(0, Shape.of(rows).concatenate(slice));
  }

  /** The sizes of {@code shape} behind those that it shares with {@code prefix}. */
  private static Shape rest(Shape shape, Shape prefix) {
    if (shape.rank() < prefix.rank() || !shape.slice(0, prefix.rank()).isCompatibleWith(prefix)) {
      throw TributaryException.invalidArgument("shape %s must start with %s", shape, prefix);
    }
    return shape.slice(prefix.rank(), shape.rank());
  }

  private static List<GradientValue> stitchGradient(Ops tf, Operation op, Output dy) {
    int count = op.inputs().size() / 2;
    List<GradientValue> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(GradientValue.none());
    }
    for (int i = 0; i < count; i++) {
      shares.add(
          tf.scope()
              .operation("GatherV2")
              .input(dy)
              .input(op.input(i))
              .input(tf.constant(0))
              .buildOutput());
    }
    return shares;
  }

  private static List<GradientValue> partitionGradient(Ops tf, Operation op, List<Output> dy) {
    Output prefix = tf.shape(op.input(1));
    Output total =
        tf.scope().operation("Prod").input(prefix).input(tf.constant(new int[] {0})).buildOutput();
    Output places =
        tf.scope()
            .operation("Range")
            .input(tf.constant(0))
            .input(total)
            .input(tf.constant(1))
            .buildOutput();
    List<Output> parts =
        tf.dataFlow.dynamicPartition(tf.reshape(places, prefix), op.input(1), dy.size());
    Output together = tf.dataFlow.dynamicStitch(parts, dy);
    return List.of(tf.reshape(together, tf.shape(op.input(0))), GradientValue.none());
  }

  // ---- stacks ----

  /** A stack for elements of a type, without a limit. */
  public Output stackV2(DataType elementType) {
    Output noLimit = new Ops(scope).constant(-1);
    return scope.operation("StackV2").input(noLimit).attr("elem_type", elementType).buildOutput();
  }

  /** Puts a value on a stack and gives it back. */
  public Output stackPushV2(Output handle, Operand element) {
    return scope.operation("StackPushV2").input(handle).input(element).buildOutput();
  }

  /** Takes the last value off a stack. */
  public Output stackPopV2(Output handle, DataType elementType) {
    return scope.operation("StackPopV2").input(handle).attr("elem_type", elementType).buildOutput();
  }

  public Operation stackCloseV2(Output handle) {
    return scope.operation("StackCloseV2").input(handle).build();
  }

  // ---- stitching ----

  /** Puts slices together: slice {@code k} of {@code data[i]} goes to row {@code indices[i][k]}. */
  public Output dynamicStitch(List<? extends Operand> indices, List<? extends Operand> data) {
    return scope.operation("DynamicStitch").inputList(indices).inputList(data).buildOutput();
  }

  /** The same where the order of slices with equal indices does not matter. */
  public Output parallelDynamicStitch(
      List<? extends Operand> indices, List<? extends Operand> data) {
    return scope
        .operation("ParallelDynamicStitch")
        .inputList(indices)
        .inputList(data)
        .buildOutput();
  }

  /** Sends each slice of {@code data} to the output that {@code partitions} tells. */
  public List<Output> dynamicPartition(Operand data, Operand partitions, int count) {
    return scope
        .operation("DynamicPartition")
        .input(data)
        .input(partitions)
        .attr("num_partitions", count)
        .build()
        .outputs();
  }
}
