package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.flow.FunctionValueKernels;
import dev.tributary.internal.kernel.flow.RemoteCallKernel;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Ops that call functions, and the ends of a function's body. A step does not run a call as such:
 * the call is expanded into the nodes of the body before the step is placed. The exception is a
 * call whose device only the step knows.
 */
final class FunctionOps {
  private FunctionOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(ends());
    all.add(call("PartitionedCall").notDifferentiable());
    all.add(
        call("StatefulPartitionedCall").stateful().distributedCommunication().notDifferentiable());
    all.add(
        op("SymbolicGradient")
            .input("input: Tin")
            .output("output: Tout")
            .attr("Tin: list(type) >= 1")
            .attr("Tout: list(type) >= 1")
            .attr("f: func")
            .shape(FunctionOps::gradientShape)
            .flag(OpFlag.DIFFERENTIATES_FUNCTION)
            .kernel(FunctionOps::unexpanded)
            .notDifferentiable());
    all.add(
        op("RemoteCall")
            .input("target: string")
            .input("args: Tin")
            .output("output: Tout")
            .attr("Tin: list(type) >= 1")
            .attr("Tout: list(type) >= 1")
            .attr("f: func")
            .stateful()
            .shape(c -> c.outputs(c.results(function(c, "f"), c.argumentsFrom(1))))
            .flag(OpFlag.CALLS_ELSEWHERE)
            .kernel(RemoteCallKernel::new)
            .notDifferentiable());
    all.add(branches("If").stateful().notDifferentiable());
    all.add(branches("StatelessIf").notDifferentiable());
    all.add(cases("Case").stateful().notDifferentiable());
    all.add(cases("StatelessCase").notDifferentiable());
    all.add(loop("While").stateful().notDifferentiable());
    all.add(loop("StatelessWhile").notDifferentiable());
    all.add(
        op("For")
            .input("start: int32")
            .input("limit: int32")
            .input("delta: int32")
            .input("input: T")
            .output("output: T")
            .attr("T: list(type) >= 0")
            .attr("body: func")
            .shape(ShapeRules::unknown)
            .flag(OpFlag.CALLS_IN_COUNTED_LOOP)
            .kernel(FunctionOps::unexpanded)
            .notDifferentiable());
    all.addAll(values());
    return all;
  }

  /** The nodes that stand for arguments and results in a body; a session puts them into steps. */
  private static List<OpDeclaration> ends() {
    return List.of(
        op("_Arg")
            .output("output: T")
            .attr("T: type")
            .attr("index: int >= 0")
            .stateful()
            .shape(FunctionOps::argumentShape)
            .kernel(
                node -> {
                  int index = (int) node.attributes().integer("index");
                  return c -> c.setOutput(0, c.step().callFrame().argument(index).retain());
                })
            .notDifferentiable(),
        op("_Retval")
            .input("input: T")
            .attr("T: type")
            .attr("index: int >= 0")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(
                node -> {
                  int index = (int) node.attributes().integer("index");
                  return c -> c.step().callFrame().setResult(index, c.input(0).retain());
                })
            .notDifferentiable());
  }

  /** Ops that choose, check or stand for values in and around bodies. */
  private static List<OpDeclaration> values() {
    return List.of(
        op("ToBool")
            .input("input: T")
            .output("output: bool")
            .attr("T: type")
            .shape(c -> c.output(0, Shape.scalar()))
            .kernel(node -> FunctionValueKernels.toBool(node.type()))
            .notDifferentiable(),
        op("FakeParam")
            .output("output: dtype")
            .attr("dtype: type")
            .attr("shape: shape")
            .shape(c -> c.output(0, c.attributes().shape("shape")))
            .kernel(FunctionValueKernels::fakeParam)
            .notDifferentiable(),
        op("DeviceIndex")
            .output("index: int32")
            .attr("device_names: list(string)")
            .stateful()
            .shape(c -> c.output(0, Shape.scalar()))
            .kernel(FunctionValueKernels::deviceIndex)
            .notDifferentiable(),
        op("EnsureShape")
            .input("input: T")
            .output("output: T")
            .attr("shape: shape")
            .attr("T: type")
            .shape(FunctionOps::ensuredShape)
            .kernel(FunctionValueKernels::ensureShape)
            .grad((tf, op, dy) -> List.of(dy)),
        op("_SwitchN")
            .input("data: T")
            .input("output_index: int32")
            .output("outputs: num_outs * T")
            .attr("num_outs: int >= 1")
            .attr("T: type")
            .shape(FunctionOps::switchShape)
            .flow(FlowKind.SWITCH)
            .kernel(node -> FunctionValueKernels.switchN(node.outputTypes().size()))
            .notDifferentiable(),
        op("_ArrayToList")
            .input("input: N * T")
            .output("output: out_types")
            .attr("T: type")
            .attr("N: int >= 1")
            .attr("out_types: list(type) >= 1")
            .shape(FunctionOps::passShapes)
            .kernel(node -> FunctionValueKernels::passAll)
            .notDifferentiable(),
        op("_ListToArray")
            .input("input: Tin")
            .output("output: N * T")
            .attr("Tin: list(type) >= 1")
            .attr("T: type")
            .attr("N: int >= 1")
            .shape(FunctionOps::passShapes)
            .kernel(node -> FunctionValueKernels::passAll)
            .notDifferentiable());
  }

  private static Declaration call(String name) {
    return op(name)
        .input("args: Tin")
        .output("output: Tout")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .attr("f: func")
        .attr("config: string = ''")
        .attr("config_proto: string = ''")
        .attr("executor_type: string = ''")
        .shape(c -> c.outputs(c.results(function(c, "f"), c.argumentsFrom(0))))
        .flag(OpFlag.CALLS_FUNCTION)
        .flag(OpFlag.PASSES_RESOURCES)
        .kernel(FunctionOps::unexpanded);
  }

  private static Declaration branches(String name) {
    return op(name)
        .input("cond: Tcond")
        .input("input: Tin")
        .output("output: Tout")
        .attr("Tcond: type")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .attr("then_branch: func")
        .attr("else_branch: func")
        .attr("output_shapes: list(shape) = []")
        .shape(
            c -> branchShapes(c, List.of(function(c, "then_branch"), function(c, "else_branch"))))
        .flag(OpFlag.CALLS_ONE_OF_TWO)
        .kernel(FunctionOps::unexpanded);
  }

  private static Declaration cases(String name) {
    return op(name)
        .input("branch_index: int32")
        .input("input: Tin")
        .output("output: Tout")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .attr("branches: list(func) >= 1")
        .attr("output_shapes: list(shape) = []")
        .shape(c -> branchShapes(c, c.attributes().list("branches")))
        .flag(OpFlag.CALLS_ONE_OF_MANY)
        .kernel(FunctionOps::unexpanded);
  }

  private static Declaration loop(String name) {
    return op(name)
        .input("input: T")
        .output("output: T")
        .attr("T: list(type) >= 0")
        .attr("cond: func")
        .attr("body: func")
        .attr("output_shapes: list(shape) = []")
        .attr("parallel_iterations: int = 10")
        .shape(FunctionOps::loopShape)
        .flag(OpFlag.CALLS_IN_LOOP)
        .kernel(FunctionOps::unexpanded);
  }

  private static Kernel unexpanded(KernelNode node) {
    throw TributaryException.internal("calls a function and was not expanded");
  }

  // ---- shape rules ----

  private static AttrValue.Function function(InferenceContext c, String attribute) {
    return (AttrValue.Function) c.attributes().find(attribute).orElseThrow();
  }

  private static void argumentShape(InferenceContext c) {
    if (c.attributes().has(FunctionBody.ARGUMENT_SHAPE)) {
      c.output(0, c.attributes().shape(FunctionBody.ARGUMENT_SHAPE));
    }
    if (c.attributes().has(FunctionBody.HANDLE_SHAPES)) {
      c.outputHandles(0, c.attributes().shapes(FunctionBody.HANDLE_SHAPES));
    }
  }

  /** The gradient of an argument has the argument's shape. */
  private static void gradientShape(InferenceContext c) {
    for (int i = 0; i < c.outputCount(); i++) {
      c.output(i, c.input(i));
    }
  }

  private static boolean hasGivenShapes(InferenceContext c) {
    List<Shape> given = c.attributes().shapes("output_shapes");
    if (given.isEmpty()) {
      return false;
    }
    if (given.size() != c.outputCount()) {
      throw TributaryException.invalidArgument(
          "attribute 'output_shapes' has %d shapes for %d outputs", given.size(), c.outputCount());
    }
    for (int i = 0; i < given.size(); i++) {
      c.output(i, given.get(i));
    }
    return true;
  }

  /** Merges what is known of the results of both branches. */
  private static void branchShapes(InferenceContext c, List<? extends AttrValue> branches) {
    if (hasGivenShapes(c)) {
      return;
    }
    List<KnownShape> common = null;
    for (AttrValue branch : branches) {
      List<KnownShape> results = c.results((AttrValue.Function) branch, c.argumentsFrom(1));
      common = common == null ? results : common(common, results);
    }
    c.outputs(common);
  }

  private static List<KnownShape> common(List<KnownShape> a, List<KnownShape> b) {
    if (a.size() != b.size()) {
      return List.of(); // Nothing is known of one of them.
    }
    List<KnownShape> common = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      common.add(
          new KnownShape(
              ShapeRules.common(a.get(i).shape(), b.get(i).shape()),
              a.get(i).handle().equals(b.get(i).handle()) ? a.get(i).handle() : List.of()));
    }
    return common;
  }

  /** Merges what is known before the first iteration and after it. */
  private static void loopShape(InferenceContext c) {
    List<KnownShape> before = c.argumentsFrom(0);
    List<KnownShape> after = c.results(function(c, "body"), before);
    if (!hasGivenShapes(c)) {
      c.outputs(common(before, after));
    }
    for (int i = 0; i < before.size(); i++) {
      c.outputHandles(i, before.get(i).handle());
    }
  }

  private static void ensuredShape(InferenceContext c) {
    Shape wanted = c.attributes().shape("shape");
    if (!c.input(0).isCompatibleWith(wanted)) {
      throw TributaryException.invalidArgument(
          "the input must have shape %s, got %s", wanted, c.input(0));
    }
    c.output(0, c.input(0).merge(wanted));
  }

  private static void switchShape(InferenceContext c) {
    c.withRank(1, 0);
    for (int i = 0; i < c.outputCount(); i++) {
      c.output(i, c.input(0));
      c.outputHandles(i, c.inputHandles(0));
    }
  }

  private static void passShapes(InferenceContext c) {
    for (int i = 0; i < c.outputCount(); i++) {
      c.output(i, c.input(i));
      c.outputHandles(i, c.inputHandles(i));
    }
  }
}
