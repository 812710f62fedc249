package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ElementWise.binary;
import static dev.tributary.ops.TypeSpecs.DIVISIBLE;
import static dev.tributary.ops.TypeSpecs.EXTREMAL;

import dev.tributary.graph.FusionRole;
import dev.tributary.graph.KnownValue;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelNode;
import dev.tributary.kernel.math.AddNKernel;
import dev.tributary.kernel.math.Arithmetic;
import dev.tributary.kernel.math.BinaryKernel;
import dev.tributary.kernel.math.CastKernel;
import dev.tributary.kernel.math.ClipKernel;
import dev.tributary.kernel.math.StringSumKernel;
import dev.tributary.tensor.DataType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The declarations of arithmetic, which nearly every graph uses; the client methods are in {@link
 * MathOps}.
 */
final class ArithmeticDeclarations {
  private ArithmeticDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        binary(
                "Add",
                "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64,"
                    + " complex128, string}",
                Arithmetic.ADD)
            .kernel(ArithmeticDeclarations::addKernel)
            .fusion(new FusionRole.Bias(true))
            .flag(OpFlag.ZERO_ON_THE_LEFT_KEEPS)
            .flag(OpFlag.ZERO_ON_THE_RIGHT_KEEPS)
            .value(ElementWise.known(Long::sum))
            .grad(MathGradients::add),
        binary(
                "AddV2",
                "T: {bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16,"
                    + " int32, int64, complex64, complex128}",
                Arithmetic.ADD)
            .commutative()
            .aggregate()
            .value(ElementWise.known(Long::sum))
            .fusion(new FusionRole.Bias(true))
            .flag(OpFlag.ZERO_ON_THE_LEFT_KEEPS)
            .flag(OpFlag.ZERO_ON_THE_RIGHT_KEEPS)
            .grad(MathGradients::add),
        op("AddN")
            .flag(OpFlag.PASSES_SINGLE_INPUT)
            .input("inputs: N * T")
            .output("sum: T")
            .attr("N: int >= 1")
            .attr(TypeSpecs.NUMBER_OR_VARIANT)
            .commutative()
            .aggregate()
            .shape(ShapeRules::allSame)
            .kernel(AddNKernel::new)
            .grad((tf, op, dy) -> Collections.nCopies(op.inputs().size(), dy)),
        binary(
                "Sub",
                "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64,"
                    + " complex64, complex128, uint32, uint64}",
                Arithmetic.SUBTRACT)
            .value(ElementWise.known((x, y) -> x - y))
            .flag(OpFlag.ZERO_ON_THE_RIGHT_KEEPS)
            .grad(
                (tf, op, dy) -> Broadcasting.reduce(tf, op.input(0), dy, op.input(1), tf.neg(dy))),
        binary("Mul", DIVISIBLE, Arithmetic.MULTIPLY)
            .commutative()
            .value(ElementWise.known((x, y) -> x * y))
            .flag(OpFlag.ONE_ON_THE_LEFT_KEEPS)
            .flag(OpFlag.ONE_ON_THE_RIGHT_KEEPS)
            .grad(MathGradients::multiply),
        binary("Div", DIVISIBLE, Arithmetic.DIVIDE)
            .flag(OpFlag.ONE_ON_THE_RIGHT_KEEPS)
            .grad(MathGradients::divide),
        binary("RealDiv", DIVISIBLE, Arithmetic.REAL_DIVIDE)
            .flag(OpFlag.ONE_ON_THE_RIGHT_KEEPS)
            .grad(MathGradients::divide),
        binary("FloorDiv", DIVISIBLE, Arithmetic.FLOOR_DIVIDE)
            .value(ElementWise.known((x, y) -> y == 0 ? KnownValue.UNKNOWN : Math.floorDiv(x, y)))
            .notDifferentiable(),
        binary("TruncateDiv", DIVISIBLE, Arithmetic.TRUNCATE_DIVIDE).notDifferentiable(),
        binary(
                "FloorMod",
                "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half,"
                    + " float, double}",
                Arithmetic.FLOOR_MODULO)
            .grad(MathGradients::floorModulo),
        binary(
                "Mod",
                "T: {int32, int64, half, half, bfloat16, float, double}",
                Arithmetic.TRUNCATE_MODULO)
            .notDifferentiable(),
        binary("Maximum", EXTREMAL, Arithmetic.MAXIMUM)
            .value(ElementWise.known(Math::max))
            .grad(MathGradients::maximum),
        binary("Minimum", EXTREMAL, Arithmetic.MINIMUM)
            .value(ElementWise.known(Math::min))
            .grad(MathGradients::minimum),
        binary(
                "Pow",
                "T: {bfloat16, float, half, double, int8, int16, int32, int64, complex64,"
                    + " complex128}",
                Arithmetic.POWER)
            .grad(MathGradients::power),
        binary(
                "SquaredDifference",
                "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
                Arithmetic.SQUARED_DIFFERENCE)
            .commutative()
            .grad(MathGradients::squaredDifference),
        binary(
                "DivNoNan",
                "T: {half, float, bfloat16, double, complex64, complex128}",
                Arithmetic.DIVIDE_NO_NAN)
            .grad(MathGradients::divide),
        op("ClipByValue")
            .input("t: T")
            .input("clip_value_min: T")
            .input("clip_value_max: T")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .shape(ShapeRules::unchanged)
            .kernel(ClipKernel::new)
            .grad(MathGradients::clip),
        op("Cast")
            .flag(OpFlag.CONVERTS)
            .input("x: SrcT")
            .output("y: DstT")
            .attr("SrcT: type")
            .attr("DstT: type")
            .attr("Truncate: bool = false")
            .shape(ShapeRules::unchanged)
            .value(c -> isIndex(c.attributes().type("DstT")) ? c.known(0) : Optional.empty())
            .kernel(CastKernel::new)
            .grad(MathGradients::cast));
  }

  private static Kernel addKernel(KernelNode node) {
    return node.type() == DataType.STRING
        ? new StringSumKernel()
        : BinaryKernel.of(Arithmetic.ADD).create(node);
  }

  private static boolean isIndex(DataType type) {
    return type == DataType.INT32 || type == DataType.INT64;
  }
}
