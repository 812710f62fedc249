package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.FusionRole;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.Activation;
import dev.tributary.kernel.KernelFactory;
import dev.tributary.kernel.math.UnaryKernel;
import dev.tributary.kernel.nn.ActivationKernels;
import dev.tributary.kernel.nn.ActivationLoops;
import java.util.List;

/** The declarations of activations and their gradients; the client methods are in {@link NnOps}. */
final class Activations {
  private static final String REAL = "T: {half, bfloat16, float, double}";

  private Activations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        activation("Relu", UnaryKernel.of(ActivationLoops.RELU))
            .fusion(new FusionRole.Function(Activation.RELU))
            .attr(
                "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half,"
                    + " uint32, uint64, qint8}")
            .grad((tf, op, dy) -> List.of(tf.nn.reluGrad(dy, op.output(0)))),
        gradient("ReluGrad", "features", ActivationKernels.reluGradient())
            .flag(OpFlag.MASKS)
            .attr(TypeSpecs.ORDERED)
            .grad((tf, op, dy) -> piecewise(tf, op, tf.nn.reluGrad(dy, op.input(1)))),
        activation("Relu6", UnaryKernel.of(ActivationLoops.RELU6))
            .fusion(new FusionRole.Function(Activation.RELU6))
            .attr(TypeSpecs.ORDERED)
            .grad((tf, op, dy) -> List.of(tf.nn.relu6Grad(dy, op.output(0)))),
        gradient(
                "Relu6Grad", "features", ActivationKernels.gradient(ActivationLoops.RELU6_GRADIENT))
            .flag(OpFlag.MASKS)
            .attr(TypeSpecs.ORDERED)
            .grad((tf, op, dy) -> piecewise(tf, op, tf.nn.relu6Grad(dy, op.input(1)))),
        activation("LeakyRelu", ActivationKernels.leakyRelu())
            .attr("alpha: float = 0.2")
            .attr(REAL + " = float")
            .grad(
                (tf, op, dy) ->
                    List.of(tf.nn.leakyReluGrad(dy, op.input(0), op.attributes().real("alpha")))),
        gradient("LeakyReluGrad", "features", ActivationKernels.leakyReluGradient())
            .attr("alpha: float = 0.2")
            .attr(REAL + " = float")
            .grad(
                (tf, op, dy) ->
                    piecewise(
                        tf,
                        op,
                        tf.nn.leakyReluGrad(dy, op.input(1), op.attributes().real("alpha")))),
        activation("Elu", UnaryKernel.of(ActivationLoops.ELU))
            .fusion(new FusionRole.Function(Activation.ELU))
            .attr(REAL)
            .grad((tf, op, dy) -> List.of(tf.nn.eluGrad(dy, op.output(0)))),
        gradient("EluGrad", "outputs", ActivationKernels.gradient(ActivationLoops.ELU_GRADIENT))
            .attr(REAL)
            .grad(
                (tf, op, dy) ->
                    List.of(tf.nn.eluGrad(dy, op.input(1)), NnGradients.whereNegative(tf, op, dy))),
        activation("Selu", UnaryKernel.of(ActivationLoops.SELU))
            .attr(REAL)
            .grad((tf, op, dy) -> List.of(tf.nn.seluGrad(dy, op.output(0)))),
        gradient("SeluGrad", "outputs", ActivationKernels.gradient(ActivationLoops.SELU_GRADIENT))
            .attr(REAL)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.nn.seluGrad(dy, op.input(1)), NnGradients.whereNegative(tf, op, dy))),
        activation("Softplus", UnaryKernel.of(ActivationLoops.SOFTPLUS))
            .attr(REAL)
            .grad((tf, op, dy) -> List.of(tf.nn.softplusGrad(dy, op.input(0)))),
        gradient(
                "SoftplusGrad",
                "features",
                ActivationKernels.gradient(ActivationLoops.SOFTPLUS_GRADIENT))
            .attr(REAL)
            .grad(NnGradients::softplusGrad),
        activation("Softsign", UnaryKernel.of(ActivationLoops.SOFTSIGN))
            .attr(REAL)
            .grad((tf, op, dy) -> List.of(tf.nn.softsignGrad(dy, op.input(0)))),
        gradient(
                "SoftsignGrad",
                "features",
                ActivationKernels.gradient(ActivationLoops.SOFTSIGN_GRADIENT))
            .attr(REAL)
            .notDifferentiable());
  }

  private static Declaration activation(String name, KernelFactory kernel) {
    return op(name)
        .input("features: T")
        .output("activations: T")
        .shape(ShapeRules::unchanged)
        .kernel(kernel);
  }

  /** The gradient of an activation, which looks at the activation's features or at its outputs. */
  private static Declaration gradient(String name, String seen, KernelFactory kernel) {
    return op(name)
        .input("gradients: T")
        .input(seen + ": T")
        .output("backprops: T")
        .shape(ShapeRules::allSame)
        .kernel(kernel);
  }

  /**
   * The gradients of a function which is linear in its first input, and whose slope does not depend
   * on the second.
   */
  private static List<Output> piecewise(Ops tf, Operation op, Output ofGradients) {
    return List.of(ofGradients, tf.zerosLike(op.input(1)));
  }
}
