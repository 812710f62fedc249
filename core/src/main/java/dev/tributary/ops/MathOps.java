package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ElementWise.binary;
import static dev.tributary.ops.TypeSpecs.DIVISIBLE;
import static dev.tributary.ops.TypeSpecs.EXTREMAL;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.math.AddNKernel;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.kernel.math.CastKernel;
import dev.tributary.internal.kernel.math.ClipKernel;
import dev.tributary.internal.kernel.math.StringSumKernel;
import dev.tributary.internal.kernel.variant.VariantKernels;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Arithmetic and functions of single elements, with broadcasting. */
public final class MathOps extends UnaryMathOps {
  /**
   * Different elements in the order of their first appearance, and where and how often they are.
   */
  public record UniqueCounts(Output values, Output indices, Output counts) {}

  MathOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        binary(
                "Add",
                "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64,"
                    + " complex128, string}",
                Arithmetic.ADD)
            .kernel(MathOps::addKernel)
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
            .kernel(
                node ->
                    node.type() == DataType.VARIANT ? VariantKernels::addN : new AddNKernel(node))
            .grad((tf, op, dy) -> Collections.nCopies(op.inputs().size(), dy)),
        op("AccumulateNV2")
            .flag(OpFlag.PASSES_SINGLE_INPUT)
            .input("inputs: N * T")
            .output("sum: T")
            .attr("N: int >= 1")
            .attr("T: " + StateOps.NUMBERS)
            .attr("shape: shape")
            .commutative()
            .aggregate()
            .shape(
                c -> {
                  ShapeRules.allSame(c);
                  c.refine(0, c.attributes().shape("shape"));
                })
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
                (tf, op, dy) ->
                    BroadcastGradients.reduce(tf, op.input(0), dy, op.input(1), tf.neg(dy))),
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
        binary(
                "TruncateMod",
                "T: {int32, int64, bfloat16, half, float, double}",
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

  Output add(Operand x, Operand y) {
    return scope.operation("AddV2").input(x).input(y).buildOutput();
  }

  Output addN(List<? extends Operand> inputs) {
    return scope.operation("AddN").inputList(inputs).buildOutput();
  }

  /** Adds the same number to each element. */
  public Output shift(Operand x, double summand) {
    return add(x, constant(x, summand));
  }

  /** Multiplies each element by the same number. */
  public Output scale(Operand x, double factor) {
    return mul(x, constant(x, factor));
  }

  Output sub(Operand x, Operand y) {
    return scope.operation("Sub").input(x).input(y).buildOutput();
  }

  Output mul(Operand x, Operand y) {
    return scope.operation("Mul").input(x).input(y).buildOutput();
  }

  Output div(Operand x, Operand y) {
    return scope.operation("Div").input(x).input(y).buildOutput();
  }

  /** Division of real numbers. */
  public Output realDiv(Operand x, Operand y) {
    return scope.operation("RealDiv").input(x).input(y).buildOutput();
  }

  /** Division where every quotient is cut towards negative infinity. */
  public Output floorDiv(Operand x, Operand y) {
    return scope.operation("FloorDiv").input(x).input(y).buildOutput();
  }

  /** Division where every quotient is cut towards zero. */
  public Output truncateDiv(Operand x, Operand y) {
    return scope.operation("TruncateDiv").input(x).input(y).buildOutput();
  }

  /** The remainder with the divisor's sign. */
  public Output floorMod(Operand x, Operand y) {
    return scope.operation("FloorMod").input(x).input(y).buildOutput();
  }

  /** The remainder with the dividend's sign. */
  public Output mod(Operand x, Operand y) {
    return scope.operation("Mod").input(x).input(y).buildOutput();
  }

  Output maximum(Operand x, Operand y) {
    return scope.operation("Maximum").input(x).input(y).buildOutput();
  }

  Output minimum(Operand x, Operand y) {
    return scope.operation("Minimum").input(x).input(y).buildOutput();
  }

  Output pow(Operand x, Operand y) {
    return scope.operation("Pow").input(x).input(y).buildOutput();
  }

  Output squaredDifference(Operand x, Operand y) {
    return scope.operation("SquaredDifference").input(x).input(y).buildOutput();
  }

  /** Division which gives 0 where the divisor is 0. */
  public Output divNoNan(Operand x, Operand y) {
    return scope.operation("DivNoNan").input(x).input(y).buildOutput();
  }

  /** The elements, cut to lie between two bounds: scalars, or tensors of the same shape. */
  public Output clipByValue(Operand x, Operand low, Operand high) {
    return scope.operation("ClipByValue").input(x).input(low).input(high).buildOutput();
  }

  Output cast(Operand x, DataType type) {
    Output value = x.asOutput();
    return value.type() == type
        ? value
        : scope.operation("Cast").input(x).attr("DstT", type).buildOutput();
  }

  private Output constant(Operand like, double value) {
    return new Ops(scope).constant(like.asOutput().type(), value);
  }
}
