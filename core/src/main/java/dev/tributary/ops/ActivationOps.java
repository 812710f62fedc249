package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.math.UnaryKernel;
import dev.tributary.internal.kernel.nn.ActivationKernels;
import dev.tributary.internal.kernel.nn.ActivationLoops;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/** Activations and their gradients. */
abstract sealed class ActivationOps extends ConvOps permits NnOps {
  static final String REAL = "T: {half, bfloat16, float, double}";

  ActivationOps(Scope scope) {
    super(scope);
  }

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
        activation("LeakyRelu", HalvesInFloat.of(ActivationKernels.leakyRelu()))
            .attr("alpha: float = 0.2")
            .attr(REAL + " = float")
            .grad(
                (tf, op, dy) ->
                    List.of(tf.nn.leakyReluGrad(dy, op.input(0), op.attributes().real("alpha")))),
        gradient(
                "LeakyReluGrad",
                "features",
                HalvesInFloat.of(ActivationKernels.leakyReluGradient()))
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

  Output relu(Operand features) {
    return scope.operation("Relu").input(features).buildOutput();
  }

  Output reluGrad(Operand gradients, Operand features) {
    return scope.operation("ReluGrad").input(gradients).input(features).buildOutput();
  }

  /** The positive part, at most 6. */
  public Output relu6(Operand features) {
    return scope.operation("Relu6").input(features).buildOutput();
  }

  Output relu6Grad(Operand gradients, Operand features) {
    return scope.operation("Relu6Grad").input(gradients).input(features).buildOutput();
  }

  /** The features, multiplied by {@code alpha} where they are negative. */
  public Output leakyRelu(Operand features, float alpha) {
    return scope.operation("LeakyRelu").input(features).attr("alpha", alpha).buildOutput();
  }

  Output leakyReluGrad(Operand gradients, Operand features, float alpha) {
    return scope
        .operation("LeakyReluGrad")
        .input(gradients)
        .input(features)
        .attr("alpha", alpha)
        .buildOutput();
  }

  /** The features, or {@code exp(x) - 1} where they are negative. */
  public Output elu(Operand features) {
    return scope.operation("Elu").input(features).buildOutput();
  }

  Output eluGrad(Operand gradients, Operand outputs) {
    return scope.operation("EluGrad").input(gradients).input(outputs).buildOutput();
  }

  /** The scaled exponential unit, which keeps mean 0 and variance 1 through layers. */
  public Output selu(Operand features) {
    return scope.operation("Selu").input(features).buildOutput();
  }

  Output seluGrad(Operand gradients, Operand outputs) {
    return scope.operation("SeluGrad").input(gradients).input(outputs).buildOutput();
  }

  /** {@code log(1 + exp(x))}. */
  public Output softplus(Operand features) {
    return scope.operation("Softplus").input(features).buildOutput();
  }

  Output softplusGrad(Operand gradients, Operand features) {
    return scope.operation("SoftplusGrad").input(gradients).input(features).buildOutput();
  }

  /** {@code x / (1 + |x|)}. */
  public Output softsign(Operand features) {
    return scope.operation("Softsign").input(features).buildOutput();
  }

  Output softsignGrad(Operand gradients, Operand features) {
    return scope.operation("SoftsignGrad").input(gradients).input(features).buildOutput();
  }
}
