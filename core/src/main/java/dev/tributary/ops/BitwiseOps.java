package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.Bits;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/** Functions of the bits of integers. */
public final class BitwiseOps {
  private static final String INTEGERS =
      "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}";

  private final Scope scope;

  BitwiseOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        ElementWise.binary("BitwiseAnd", INTEGERS, Bits.AND).commutative().notDifferentiable(),
        ElementWise.binary("BitwiseOr", INTEGERS, Bits.OR).commutative().notDifferentiable(),
        ElementWise.binary("BitwiseXor", INTEGERS, Bits.XOR).commutative().notDifferentiable(),
        ElementWise.unary("Invert", INTEGERS, Bits.INVERT).notDifferentiable(),
        op("PopulationCount")
            .input("x: T")
            .output("y: uint8")
            .attr(INTEGERS)
            .shape(ShapeRules::unchanged)
            .kernel(node -> Bits::populationCount)
            .notDifferentiable(),
        shift("LeftShift").kernel(Bits.leftShift()).notDifferentiable(),
        shift("RightShift").kernel(Bits.rightShift()).notDifferentiable());
  }

  private static Declaration shift(String name) {
    return op(name)
        .input("x: T")
        .input("y: T")
        .output("z: T")
        .attr(INTEGERS)
        .shape(ElementWise::broadcast);
  }

  public Output and(Operand x, Operand y) {
    return binary("BitwiseAnd", x, y);
  }

  public Output or(Operand x, Operand y) {
    return binary("BitwiseOr", x, y);
  }

  public Output xor(Operand x, Operand y) {
    return binary("BitwiseXor", x, y);
  }

  public Output invert(Operand x) {
    return scope.operation("Invert").input(x).buildOutput();
  }

  /** The number of bits that are set, as uint8. */
  public Output populationCount(Operand x) {
    return scope.operation("PopulationCount").input(x).buildOutput();
  }

  public Output leftShift(Operand x, Operand y) {
    return binary("LeftShift", x, y);
  }

  /** With copies of the highest bit moving in for signed types. */
  public Output rightShift(Operand x, Operand y) {
    return binary("RightShift", x, y);
  }

  private Output binary(String type, Operand x, Operand y) {
    return scope.operation(type).input(x).input(y).buildOutput();
  }
}
