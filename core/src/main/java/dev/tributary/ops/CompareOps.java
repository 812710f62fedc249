package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ElementWise.compare;
import static dev.tributary.ops.ElementWise.test;
import static dev.tributary.ops.TypeSpecs.ORDERED;
import static dev.tributary.ops.TypeSpecs.REAL;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.ApproximateEqualKernel;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.kernel.math.Comparisons;
import dev.tributary.internal.kernel.math.EqualityKernel;
import dev.tributary.internal.kernel.math.Functions;
import dev.tributary.internal.kernel.math.SelectKernel;
import dev.tributary.internal.kernel.math.UnaryKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Comparisons, logic, and the choice between elements that follows from them. */
abstract sealed class CompareOps extends ReduceOps permits SpecialMathOps {
  CompareOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        equality("Equal", Comparisons.EQUAL, true),
        equality("NotEqual", Comparisons.NOT_EQUAL, false),
        compare("Less", ORDERED, Comparisons.LESS).notDifferentiable(),
        compare("LessEqual", ORDERED, Comparisons.LESS_EQUAL).notDifferentiable(),
        compare("Greater", ORDERED, Comparisons.GREATER).notDifferentiable(),
        compare("GreaterEqual", ORDERED, Comparisons.GREATER_EQUAL).notDifferentiable(),
        op("ApproximateEqual")
            .input("x: T")
            .input("y: T")
            .output("z: bool")
            .attr(TypeSpecs.NUMBER)
            .attr("tolerance: float = 1e-5")
            .commutative()
            .shape(ShapeRules::allSame)
            .kernel(ApproximateEqualKernel::new)
            .notDifferentiable(),
        test("IsNan", REAL, Functions.IS_NAN).notDifferentiable(),
        test("IsInf", REAL, Functions.IS_INF).notDifferentiable(),
        test("IsFinite", REAL, Functions.IS_FINITE).notDifferentiable(),
        logic("LogicalAnd", Comparisons.AND),
        logic("LogicalOr", Comparisons.OR),
        op("LogicalNot")
            .flag(OpFlag.UNDOES_ITSELF)
            .input("x: bool")
            .output("y: bool")
            .shape(ShapeRules::unchanged)
            .kernel(UnaryKernel.of(Functions.NOT))
            .notDifferentiable(),
        op("Select")
            .input("condition: bool")
            .input("t: T")
            .input("e: T")
            .output("output: T")
            .attr("T: type")
            .shape(CompareOps::selectShape)
            .kernel(node -> new SelectKernel(false))
            .grad(CompareOps::selectGradient),
        op("SelectV2")
            .input("condition: bool")
            .input("t: T")
            .input("e: T")
            .output("output: T")
            .attr("T: type")
            .shape(c -> c.output(0, Broadcast.shape(c.input(0), c.input(1), c.input(2))))
            .kernel(node -> new SelectKernel(true))
            .grad(CompareOps::selectV2Gradient));
  }

  private static OpDeclaration equality(String name, BinaryLoop loop, boolean equal) {
    return compare(name, "T: type", loop)
        .attr("incompatible_shape_error: bool = true")
        .commutative()
        .shape(CompareOps::equalityShape)
        .kernel(node -> new EqualityKernel(node, loop, equal))
        .notDifferentiable();
  }

  private static OpDeclaration logic(String name, BinaryLoop loop) {
    return op(name)
        .input("x: bool")
        .input("y: bool")
        .output("z: bool")
        .commutative()
        .shape(ElementWise::broadcast)
        .kernel(BinaryKernel.of(loop))
        .notDifferentiable();
  }

  /**
   * Shapes that cannot meet give a scalar when that is allowed; so until both are known nothing is.
   */
  private static void equalityShape(InferenceContext context) {
    boolean strict = context.attributes().bool("incompatible_shape_error");
    if (strict || context.input(0).isFullyDefined() && context.input(0).equals(context.input(1))) {
      ElementWise.broadcast(context);
    }
  }

  private static void selectShape(InferenceContext context) {
    Shape choice = context.merged(1, 2);
    Shape condition = context.input(0);
    if (condition.hasRank() && condition.rank() > 1) {
      if (!choice.isCompatibleWith(condition)) {
        throw mismatch(condition, choice);
      }
      choice = choice.merge(condition);
    } else if (condition.hasRank() && condition.rank() == 1 && choice.hasRank()) {
      if (choice.isScalar() || !condition.isCompatibleWith(choice.slice(0, 1))) {
        throw mismatch(condition, choice);
      }
      choice = choice.withSize(0, condition.merge(choice.slice(0, 1)).size(0));
    }
    context.output(0, choice);
  }

  private static TributaryException mismatch(Shape condition, Shape choice) {
    return TributaryException.invalidArgument(
        "a condition of shape %s cannot choose from %s", condition, choice);
  }

  private static List<GradientValue> selectGradient(Ops tf, Operation op, Output dy) {
    Output condition = op.input(0);
    Output zeros = tf.zerosLike(op.input(1));
    return List.of(
        GradientValue.none(),
        tf.math.selectRows(condition, dy, zeros),
        tf.math.selectRows(condition, zeros, dy));
  }

  private static List<GradientValue> selectV2Gradient(Ops tf, Operation op, Output dy) {
    Output condition = op.input(0);
    Output zero = tf.constant(dy.type(), 0);
    return List.of(
        GradientValue.none(),
        BroadcastGradients.reduce(tf, op.input(1), tf.where(condition, dy, zero)),
        BroadcastGradients.reduce(tf, op.input(2), tf.where(condition, zero, dy)));
  }

  Output equal(Operand x, Operand y) {
    return scope.operation("Equal").input(x).input(y).buildOutput();
  }

  Output notEqual(Operand x, Operand y) {
    return scope.operation("NotEqual").input(x).input(y).buildOutput();
  }

  Output less(Operand x, Operand y) {
    return scope.operation("Less").input(x).input(y).buildOutput();
  }

  /** Returns whether elements differ by less than the tolerance. */
  public Output approximateEqual(Operand x, Operand y, float tolerance) {
    return scope
        .operation("ApproximateEqual")
        .input(x)
        .input(y)
        .attr("tolerance", tolerance)
        .buildOutput();
  }

  Output lessEqual(Operand x, Operand y) {
    return scope.operation("LessEqual").input(x).input(y).buildOutput();
  }

  Output greater(Operand x, Operand y) {
    return scope.operation("Greater").input(x).input(y).buildOutput();
  }

  Output greaterEqual(Operand x, Operand y) {
    return scope.operation("GreaterEqual").input(x).input(y).buildOutput();
  }

  Output logicalAnd(Operand x, Operand y) {
    return scope.operation("LogicalAnd").input(x).input(y).buildOutput();
  }

  Output logicalOr(Operand x, Operand y) {
    return scope.operation("LogicalOr").input(x).input(y).buildOutput();
  }

  public Output isNan(Operand x) {
    return scope.operation("IsNan").input(x).buildOutput();
  }

  public Output isInf(Operand x) {
    return scope.operation("IsInf").input(x).buildOutput();
  }

  public Output isFinite(Operand x) {
    return scope.operation("IsFinite").input(x).buildOutput();
  }

  Output logicalNot(Operand x) {
    return scope.operation("LogicalNot").input(x).buildOutput();
  }

  Output select(Operand condition, Operand then, Operand otherwise) {
    return scope.operation("SelectV2").input(condition).input(then).input(otherwise).buildOutput();
  }

  /** The older form without broadcasting, in which a vector as condition chooses whole rows. */
  public Output selectRows(Operand condition, Operand then, Operand otherwise) {
    return scope.operation("Select").input(condition).input(then).input(otherwise).buildOutput();
  }
}
