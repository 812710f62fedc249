package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRule;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A small registry with TensorFlow's own signatures, for tests of graphs that never run. */
public final class TestOps {
  private TestOps() {}

  public static Graph graph() {
    return new Graph(registry());
  }

  public static OpRegistry registry() {
    return new OpRegistry(
        List.of(
            op(def("NoOp"), ShapeRules::unknown),
            op(
                def("Const").output("output: dtype").attr("value: tensor").attr("dtype: type"),
                c -> c.output(0, c.attributes().tensor("value").shape()),
                FlowKind.NONE,
                OpFlag.CONSTANT),
            op(
                def("Placeholder")
                    .output("output: dtype")
                    .attr("dtype: type")
                    .attr("shape: shape = { unknown_rank: true }"),
                ShapeRules::fromAttribute),
            op(
                def("Identity").input("input: T").output("output: T").attr("T: type"),
                ShapeRules::unchanged),
            op(
                def("Relu")
                    .input("features: T")
                    .output("activations: T")
                    .attr("T: {float, double}"),
                ShapeRules::unchanged),
            op(
                def("Add")
                    .input("x: T")
                    .input("y: T")
                    .output("z: T")
                    .attr("T: {float, double, int32}"),
                ShapeRules::unchanged),
            op(
                def("Less")
                    .input("x: T")
                    .input("y: T")
                    .output("z: bool")
                    .attr("T: {float, double, int32}"),
                ShapeRules::unchanged),
            op(
                def("MatMul")
                    .input("a: T")
                    .input("b: T")
                    .output("product: T")
                    .attr("transpose_a: bool = false")
                    .attr("transpose_b: bool = false")
                    .attr("T: {float, double}")
                    .attr("grad_a: bool = false")
                    .attr("grad_b: bool = false"),
                c -> c.output(0, Shape.of(c.withRank(0, 2).size(0), c.withRank(1, 2).size(1)))),
            op(
                def("BiasAdd")
                    .input("value: T")
                    .input("bias: T")
                    .output("output: T")
                    .attr("T: {float, double}")
                    .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'"),
                ShapeRules::unchanged),
            op(
                def("VariableV2")
                    .output("ref: Ref(dtype)")
                    .attr("shape: shape")
                    .attr("dtype: type")
                    .attr("container: string = ''")
                    .attr("shared_name: string = ''")
                    .stateful(),
                ShapeRules::fromAttribute),
            op(
                def("Assign")
                    .input("ref: Ref(T)")
                    .input("value: T")
                    .output("output_ref: Ref(T)")
                    .attr("T: type")
                    .attr("validate_shape: bool = true")
                    .attr("use_locking: bool = true")
                    .allowsUninitializedInput(),
                ShapeRules::unchanged),
            op(
                def("Split")
                    .input("split_dim: int32")
                    .input("value: T")
                    .output("output: num_split * T")
                    .attr("num_split: int >= 1")
                    .attr("T: type"),
                ShapeRules::unknown),
            op(
                def("Pack")
                    .input("values: N * T")
                    .output("output: T")
                    .attr("N: int >= 1")
                    .attr("T: type")
                    .attr("axis: int = 0"),
                ShapeRules::unknown),
            op(
                def("IdentityN").input("input: T").output("output: T").attr("T: list(type) >= 1"),
                c -> {
                  for (int i = 0; i < c.inputCount(); i++) {
                    c.output(i, c.input(i));
                  }
                }),
            op(
                def("BatchNormWithGlobalNormalization")
                    .input("t: T")
                    .output("result: T")
                    .attr("T: type")
                    .deprecated(9, "Use tf.nn.batch_normalization()"),
                ShapeRules::unchanged),
            op(
                def("Switch")
                    .input("data: T")
                    .input("pred: bool")
                    .output("output_false: T")
                    .output("output_true: T")
                    .attr("T: type"),
                ShapeRules::unchanged,
                FlowKind.SWITCH),
            op(
                def("Merge")
                    .input("inputs: N * T")
                    .output("output: T")
                    .output("value_index: int32")
                    .attr("T: type")
                    .attr("N: int >= 1"),
                TestOps::mergeShape,
                FlowKind.MERGE),
            op(
                def("Enter")
                    .input("data: T")
                    .output("output: T")
                    .attr("T: type")
                    .attr("frame_name: string")
                    .attr("is_constant: bool = false")
                    .attr("parallel_iterations: int = 10"),
                ShapeRules::unchanged,
                FlowKind.ENTER),
            op(
                def("Exit").input("data: T").output("output: T").attr("T: type"),
                ShapeRules::unchanged,
                FlowKind.EXIT),
            op(
                def("NextIteration").input("data: T").output("output: T").attr("T: type"),
                ShapeRules::unchanged,
                FlowKind.NEXT_ITERATION),
            op(
                def("LoopCond").input("input: bool").output("output: bool"),
                ShapeRules::unchanged,
                FlowKind.LOOP_COND)));
  }

  private static void mergeShape(InferenceContext c) {
    boolean same = true;
    for (int i = 1; i < c.inputCount(); i++) {
      same &= c.input(i).equals(c.input(0));
    }
    c.output(0, same ? c.input(0) : Shape.unknown());
    c.output(1, Shape.scalar());
  }

  private static OpDefBuilder def(String name) {
    return new OpDefBuilder(name);
  }

  private static OpDeclaration op(OpDefBuilder def, ShapeRule shape) {
    return op(def, shape, FlowKind.NONE);
  }

  private static OpDeclaration op(
      OpDefBuilder def, ShapeRule shape, FlowKind flow, OpFlag... flags) {
    return new OpDeclaration(
        def.build(),
        shape,
        Optional.empty(),
        node -> {
          throw TributaryException.unimplemented("ops of tests do not run");
        },
        Optional.empty(),
        flow,
        Set.of(flags));
  }
}
