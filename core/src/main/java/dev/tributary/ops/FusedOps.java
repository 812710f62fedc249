package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.math.MatMulKernel;
import dev.tributary.internal.kernel.math.ProductSum;
import dev.tributary.internal.kernel.nn.ConvKernels;
import dev.tributary.internal.kernel.nn.ConvSpec;
import dev.tributary.internal.kernel.nn.ElementTypes;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.kernel.training.ProductDescent;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.op.Attributes;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Products and convolutions with what is done to them, as rewrites put them into a step in place of
 * several nodes. No client method makes them.
 */
final class FusedOps {
  static final OpDeclaration MAT_MUL =
      op("_FusedMatMul")
          .input("a: T")
          .input("b: T")
          .input("args: num_args * T")
          .output("product: T")
          .attr("transpose_a: bool = false")
          .attr("transpose_b: bool = false")
          .attr("T: {bfloat16, half, float}")
          .attr("num_args: int >= 0")
          .attr("fused_ops: list(string) = []")
          .attr("epsilon: float = 0.0001")
          .attr("leakyrelu_alpha: float = 0.2")
          .flag(OpFlag.EXPENSIVE)
          .shape(LinalgOps::matMulShape)
          .kernel(MatMulKernel::fused)
          .notDifferentiable();

  /**
   * A product of matrices added to what its last input holds. Like {@link #descent}, only a rewrite
   * makes it.
   */
  static final OpDeclaration MAT_MUL_SUM =
      op("_FusedMatMulSum")
          .input("a: T")
          .input("b: T")
          .input("c: T")
          .output("sum: T")
          .attr("transpose_a: bool = false")
          .attr("transpose_b: bool = false")
          .attr("T: {float}")
          .flag(OpFlag.EXPENSIVE)
          .shape(LinalgOps::matMulShape)
          .kernel(ProductSum::new)
          .notDifferentiable();

  static final OpDeclaration CONV_2D =
      op("_FusedConv2D")
          .input("input: T")
          .input("filter: T")
          .input("args: TArgs")
          .input("host_args: num_host_args * float")
          .output("output: T")
          .attr("T: {half, float, double, int8, qint8}")
          .attr("TArgs: list(type) >= 1")
          .attr("num_args: int >= 0")
          .attr("num_host_args: int >= 0 = 0")
          .attr("strides: list(int)")
          .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}")
          .attr("explicit_paddings: list(int) = []")
          .attr("data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'")
          .attr("filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = 'HWIO'")
          .attr("dilations: list(int) = [1, 1, 1, 1]")
          .attr("use_cudnn_on_gpu: bool = true")
          .attr("fused_ops: list(string) = []")
          .attr("epsilon: float = 0.0001")
          .attr("leakyrelu_alpha: float = 0.2")
          .flag(OpFlag.EXPENSIVE)
          .shape(FusedOps::convShape)
          .kernel(
              node -> {
                ElementTypes.requireReal(node.type());
                ConvSpec spec = ConvSpec.of(node.attributes());
                Epilogue epilogue = Epilogue.ofFusedOps(node.attributes().strings("fused_ops"));
                return c -> ConvKernels.fused(c, spec, epilogue);
              })
          .notDifferentiable();

  private FusedOps() {}

  /**
   * Gradient descent by a product of matrices. TensorFlow has no such op, so no registry has it:
   * only a rewrite makes it, in the process that runs it.
   */
  static OpDeclaration descent(VariableInput variables) {
    boolean isResource = variables == VariableInput.RESOURCE;
    Declaration op =
        op(isResource ? "_FusedResourceApplyGradientDescent" : "_FusedApplyGradientDescent")
            .input(isResource ? "var: resource" : "var: Ref(T)")
            .input("alpha: T")
            .input("a: T")
            .input("b: T")
            .attr("T: {float}")
            .attr("use_locking: bool = false")
            .attr("transpose_a: bool = false")
            .attr("transpose_b: bool = false")
            .flag(OpFlag.EXPENSIVE);
    return (isResource ? op.stateful() : op.output("out: Ref(T)"))
        .shape(context -> {})
        .kernel(node -> new ProductDescent(node, variables))
        .notDifferentiable();
  }

  /**
   * A convolution and its batch normalisation with given statistics, by the convolution's name.
   * Like {@link #descent}, only a rewrite makes them.
   */
  static Map<String, OpDeclaration> normalizedConvolutions() {
    return Map.of(
        "Conv2D", normalized("_NormalizedConv2D", ConvSpec::of),
        "DepthwiseConv2dNative",
            normalized("_NormalizedDepthwiseConv2dNative", ConvSpec::depthwise));
  }

  private static OpDeclaration normalized(String name, Function<Attributes, ConvSpec> spec) {
    return op(name)
        .input("input: T")
        .input("filter: T")
        .input("scale: T")
        .input("offset: T")
        .input("mean: T")
        .input("variance: T")
        .output("output: T")
        .attr("T: {float}")
        .attr("strides: list(int)")
        .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}")
        .attr("explicit_paddings: list(int) = []")
        .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
        .attr("dilations: list(int) = [1, 1, 1, 1]")
        .attr("epsilon: float = 0.0001")
        .attr("activation: string = ''")
        .flag(OpFlag.EXPENSIVE)
        .shape(
            c -> c.output(0, spec.apply(c.attributes()).output(c.withRank(0, 4), c.withRank(1, 4))))
        .kernel(
            node -> {
              ConvSpec read = spec.apply(node.attributes());
              float epsilon = node.attributes().real("epsilon");
              String op = node.attributes().string("activation");
              Activation activation = op.isEmpty() ? Activation.NONE : Activation.ofOp(op);
              return c -> ConvKernels.normalized(c, read, epsilon, activation);
            })
        .notDifferentiable();
  }

  /** Those that TensorFlow has, too. */
  static List<OpDeclaration> declarations() {
    return List.of(MAT_MUL, CONV_2D);
  }

  private static void convShape(InferenceContext context) {
    ConvSpec spec = ConvSpec.of(context.attributes());
    context.output(0, spec.output(context.withRank(0, 4), context.withRank(1, 4)));
  }
}
