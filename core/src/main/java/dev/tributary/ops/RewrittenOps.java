package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.array.BackingTensors;
import dev.tributary.internal.kernel.array.InplaceRows;
import dev.tributary.internal.kernel.math.CastKernel;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.BatchNormKernel;
import dev.tributary.internal.kernel.nn.ConvKernels;
import dev.tributary.internal.kernel.nn.ConvSpec;
import dev.tributary.internal.kernel.nn.ElementTypes;
import dev.tributary.internal.kernel.nn.FunctionChain;
import dev.tributary.internal.kernel.nn.VolumeConvolution;
import dev.tributary.internal.kernel.nn.VolumeSpec;
import dev.tributary.internal.kernel.text.StringHashes;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Ops that a master of TensorFlow may put into a graph before it sends parts of it to our tasks.
 * Neither clients nor our own rewrites add them.
 */
final class RewrittenOps {
  private RewrittenOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(fused());
    all.addAll(parallelConcat());
    all.addAll(scopedAllocator());
    return all;
  }

  /** The steps of a ParallelConcat: space for the rows, and each row put into it. */
  private static List<OpDeclaration> parallelConcat() {
    return List.of(
        op("_ParallelConcatStart")
            .output("output: dtype")
            .attr("shape: shape")
            .attr("dtype: type")
            .stateful()
            .shape(ShapeRules::fromAttribute)
            .kernel(BackingTensors::zeros)
            .notDifferentiable(),
        op("_ParallelConcatUpdate")
            .input("value: T")
            .input("update: T")
            .output("output: T")
            .attr("T: type")
            .attr("loc: int")
            .shape(ShapeRules::unchanged)
            .kernel(InplaceRows::updateAt)
            .notDifferentiable());
  }

  /** One tensor for the values of several nodes that are sent or reduced together. */
  private static List<OpDeclaration> scopedAllocator() {
    return List.of(
        op("_ScopedAllocator")
            .output("output: T")
            .attr("shapes: list(shape)")
            .attr("shape: shape")
            .attr("T: type")
            .attr("sa_name: string")
            .attr("id: int")
            .attr("expected_call_count: int")
            .stateful()
            .shape(ShapeRules::fromAttribute)
            .kernel(BackingTensors::zeros)
            .notDifferentiable(),
        op("_ScopedAllocatorConcat")
            .input("backing: T")
            .input("inputs: N * T")
            .output("output: T")
            .attr("shape: shape")
            .attr("T: type")
            .attr("reshape: bool = false")
            .attr("sa_name: string")
            .attr("id: int")
            .attr("N: int >= 2")
            .stateful()
            .shape(
                c ->
                    c.output(
                        0,
                        c.attributes().bool("reshape")
                            ? c.attributes().shape("shape")
                            : c.input(0)))
            .kernel(BackingTensors::join)
            .notDifferentiable(),
        op("_ScopedAllocatorSplit")
            .input("concat: T")
            .input("split: N * T")
            .output("output: N * T")
            .attr("T: type")
            .attr("sa_name: string")
            .attr("id: int")
            .attr("N: int >= 2")
            .attr("shapes: list(shape)")
            .stateful()
            .shape(RewrittenOps::splitShapes)
            .kernel(BackingTensors::split)
            .notDifferentiable());
  }

  private static void splitShapes(InferenceContext context) {
    List<Shape> shapes = context.attributes().shapes("shapes");
    for (int i = 0; i < Math.min(context.outputCount(), shapes.size()); i++) {
      context.output(i, shapes.get(i));
    }
  }

  private static List<OpDeclaration> fused() {
    return List.of(
        op("_FusedConv3D")
            .input("input: T")
            .input("filter: T")
            .input("args: num_args * T")
            .output("output: T")
            .attr("T: {bfloat16, float, half}")
            .attr("num_args: int >= 0")
            .attr("strides: list(int) >= 5")
            .attr("padding: {'SAME', 'VALID'}")
            .attr("data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'")
            .attr("dilations: list(int) = [1, 1, 1, 1, 1]")
            .attr("padding_list: list(int) = []")
            .attr("fused_ops: list(string) = []")
            .attr("epsilon: float = 0.0001")
            .attr("leakyrelu_alpha: float = 0.2")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c ->
                    c.output(
                        0,
                        VolumeSpec.of(c.attributes()).output(c.withRank(0, 5), c.withRank(1, 5))))
            .kernel(HalvesInFloat.of(VolumeConvolution::fused))
            .notDifferentiable(),
        op("_FusedBatchNormEx")
            .input("x: T")
            .input("scale: U")
            .input("offset: U")
            .input("mean: U")
            .input("variance: U")
            .input("side_input: num_side_inputs * T")
            .output("y: T")
            .output("batch_mean: U")
            .output("batch_variance: U")
            .output("reserve_space_1: U")
            .output("reserve_space_2: U")
            .output("reserve_space_3: U")
            .attr("T: {half, float, bfloat16}")
            .attr("U: {float}")
            .attr("epsilon: float = 0.0001")
            .attr("exponential_avg_factor: float = 1.0")
            .attr("num_side_inputs: int >= 0 = 0")
            .attr("activation_mode: string = 'Identity'")
            .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
            .attr("is_training: bool = true")
            .flag(OpFlag.EXPENSIVE)
            .shape(NormOps::batchNormShape)
            .kernel(BatchNormKernel::new)
            .notDifferentiable(),
        op("_FusedDepthwiseConv2dNative")
            .input("input: T")
            .input("filter: T")
            .input("args: num_args * T")
            .output("output: T")
            .attr("T: {half, bfloat16, float, double}")
            .attr("num_args: int >= 0")
            .attr("strides: list(int)")
            .attr("padding: {'SAME', 'VALID'}")
            .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
            .attr("dilations: list(int) = [1, 1, 1, 1]")
            .attr("fused_ops: list(string) = []")
            .attr("epsilon: float = 0.0001")
            .attr("leakyrelu_alpha: float = 0.2")
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c ->
                    c.output(
                        0,
                        ConvSpec.depthwise(c.attributes())
                            .output(c.withRank(0, 4), c.withRank(1, 4))))
            .kernel(
                node -> {
                  ElementTypes.requireReal(node.type());
                  ConvSpec spec = ConvSpec.depthwise(node.attributes());
                  Epilogue epilogue = Epilogue.ofFusedOps(node.attributes().strings("fused_ops"));
                  return c -> ConvKernels.fused(c, spec, epilogue);
                })
            .notDifferentiable(),
        op("_UnaryOpsComposition")
            .input("x: T")
            .output("y: T")
            .attr("T: {float, half, double}")
            .attr("op_names: list(string)")
            .shape(ShapeRules::unchanged)
            .kernel(FunctionChain::new)
            .notDifferentiable(),
        op("_HostCast")
            .input("x: SrcT")
            .output("y: DstT")
            .attr("SrcT: type")
            .attr("DstT: type")
            .attr("Truncate: bool = false")
            .shape(ShapeRules::unchanged)
            .kernel(CastKernel::new)
            .notDifferentiable(),
        op("_TensorToHashBucketFast")
            .input("input: T")
            .output("output: int64")
            .attr("T: {int8, uint8, int16, uint16, int32, uint32, int64, uint64}")
            .attr("num_buckets: int >= 1")
            .shape(ShapeRules::unchanged)
            .kernel(StringHashes::ofNumbers)
            .notDifferentiable());
  }
}
