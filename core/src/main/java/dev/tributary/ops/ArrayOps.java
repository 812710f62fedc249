package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Numerics;
import dev.tributary.internal.kernel.variant.VariantKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.BiConsumer;

/** Ops that make tensors, pass them on, and look at or change their shapes. */
public final class ArrayOps extends ShapeOps {
  private static final String BITS =
      "{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16,"
          + " complex64, complex128, qint8, quint8, qint16, quint16, qint32}";

  ArrayOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Const")
            .output("output: dtype")
            .attr("value: tensor")
            .attr("dtype: type")
            .shape(ArrayOps::constantShape)
            .value(c -> KnownValue.ofTensor(c.attributes().tensor("value")))
            .flag(OpFlag.CONSTANT)
            .kernel(
                node -> {
                  Tensor value = node.attributes().tensor("value");
                  return c -> c.setOutput(0, SharedTensors.share(value));
                })
            .notDifferentiable(),
        placeholder("Placeholder", "shape: shape = { unknown_rank: true }").notDifferentiable(),
        placeholder("PlaceholderV2", "shape: shape")
            .deprecated(23, "Placeholder now behaves the same as PlaceholderV2.")
            .notDifferentiable(),
        op("PlaceholderWithDefault")
            .input("input: dtype")
            .output("output: dtype")
            .attr("dtype: type")
            .attr("shape: shape")
            .shape(
                c -> {
                  Shape shape = c.attributes().shape("shape");
                  c.input(0).merge(shape);
                  c.output(0, shape);
                })
            .flag(OpFlag.NOT_FOLDABLE)
            .kernel(
                node -> {
                  Shape shape = node.attributes().shape("shape");
                  return c -> {
                    c.input(0).shape().merge(shape);
                    pass(c);
                  };
                })
            .grad((tf, op, dy) -> List.of(dy)),
        op("Identity")
            .flag(OpFlag.PASSES_SINGLE_INPUT)
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .shape(ArrayOps::passShape)
            .value(c -> c.known(0))
            .kernel(node -> ArrayOps::pass)
            .flag(OpFlag.PASSES_SLICES)
            .gradRule((scope, op, dy) -> dy),
        op("IdentityN")
            .flag(OpFlag.PASSES_RESOURCES)
            .input("input: T")
            .output("output: T")
            .attr("T: list(type) >= 1")
            .shape(
                c -> {
                  for (int i = 0; i < c.outputCount(); i++) {
                    c.output(i, c.input(i));
                    c.outputHandles(i, c.inputHandles(i));
                  }
                })
            .kernel(
                node ->
                    c -> {
                      for (int i = 0; i < c.inputCount(); i++) {
                        c.setOutput(i, c.input(i).retain());
                      }
                    })
            .flag(OpFlag.PASSES_SLICES)
            .gradRule((scope, op, dy) -> dy),
        op("StopGradient")
            .flag(OpFlag.PASSES_SINGLE_INPUT)
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .shape(ShapeRules::unchanged)
            .kernel(node -> ArrayOps::pass)
            .notDifferentiable(),
        op("Snapshot")
            .flag(OpFlag.PASSES_SINGLE_INPUT)
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .shape(ShapeRules::unchanged)
            .kernel(node -> ArrayOps::pass)
            .notDifferentiable(),
        op("GuaranteeConst")
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .stateful()
            .flag(OpFlag.READS_STATE)
            .shape(ShapeRules::unchanged)
            .kernel(node -> ArrayOps::pass)
            .notDifferentiable(),
        op("PreventGradient")
            .flag(OpFlag.PASSES_SINGLE_INPUT)
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .attr("message: string = ''")
            .shape(ShapeRules::unchanged)
            .kernel(node -> ArrayOps::pass)
            .gradRule(
                (scope, op, dy) -> {
                  throw TributaryException.failedPrecondition(
                      "the gradient of %s was asked for, and it forbids that: %s",
                      op, op.attributes().string("message"));
                }),
        checkNumerics("CheckNumerics", Numerics::check),
        checkNumerics("CheckNumericsV2", Numerics::checkSigned),
        op("ZerosLike")
            .input("x: T")
            .output("y: T")
            .attr("T: type")
            .shape(ArrayOps::passShape)
            .kernel(
                node ->
                    node.type() == DataType.VARIANT
                        ? VariantKernels::zerosLike
                        : c -> Fill.zeros(c.forwardOrAllocate(0, 0, c.input(0).shape())))
            .notDifferentiable(),
        op("OnesLike")
            .input("x: T")
            .output("y: T")
            .attr(
                "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32,"
                    + " int64, uint64, complex64, complex128, bool}")
            .shape(ShapeRules::unchanged)
            .kernel(node -> c -> Fill.ones(c.forwardOrAllocate(0, 0, c.input(0).shape())))
            .notDifferentiable(),
        op("Fill")
            .input("dims: index_type")
            .input("value: T")
            .output("output: T")
            .attr("T: type")
            .attr("index_type: {int32, int64} = int32")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.output(0, c.knownShape(0));
                })
            .kernel(
                node ->
                    c -> {
                      IndexTensors.requireScalar(c.input(1), "value");
                      Fill.with(c.input(1), c.allocateOutput(0, IndexTensors.toShape(c.input(0))));
                    })
            .grad((tf, op, dy) -> List.of(GradientValue.none(), tf.array.sumOfAll(dy))),
        op("Bitcast")
            .input("input: T")
            .output("output: type")
            .attr("T: " + BITS)
            .attr("type: " + BITS)
            .shape(
                c -> {
                  int size = c.attributes().type("type").size();
                  c.output(0, Numerics.bitcast(c.input(0), c.inputType(0).size(), size));
                })
            .kernel(
                node -> {
                  DataType type = node.attributes().type("type");
                  return c -> {
                    Tensor input = c.input(0);
                    Shape shape = Numerics.bitcast(input.shape(), input.type().size(), type.size());
                    c.setOutput(0, input.bitcast(type, shape));
                  };
                })
            .notDifferentiable());
  }

  private static Declaration placeholder(String name, String shape) {
    return op(name)
        .output("output: dtype")
        .attr("dtype: type")
        .attr(shape)
        .shape(ShapeRules::fromAttribute)
        .flag(OpFlag.PLACEHOLDER)
        .kernel(
            node ->
                c -> {
                  throw TributaryException.invalidArgument(
                      "you must feed a value for this placeholder, of type %s and shape %s",
                      node.attributes().type("dtype").lowerName(),
                      node.attributes().shape("shape"));
                });
  }

  /** A constant. The tensor stays the caller's; the graph keeps a reference of its own. */
  public Output constant(Tensor value) {
    return scope
        .operation("Const")
        .attr("value", AttrValue.of(value))
        .attr("dtype", value.type())
        .buildOutput();
  }

  /** A constant of a tensor that was made for it, which is closed. */
  Output constantTaking(Tensor made) {
    try (made) {
      return constant(made);
    }
  }

  /** A value that every step must be fed. */
  public Output placeholder(DataType type, Shape shape) {
    return scope.operation("Placeholder").attr("dtype", type).attr("shape", shape).buildOutput();
  }

  /** A value that a step may be fed, and that is {@code value} otherwise. */
  public Output placeholderWithDefault(Operand value, Shape shape) {
    return scope
        .operation("PlaceholderWithDefault")
        .input(value)
        .attr("shape", shape)
        .buildOutput();
  }

  Output identity(Operand input) {
    return scope.operation("Identity").input(input).buildOutput();
  }

  public List<Output> identityN(List<? extends Operand> inputs) {
    return scope.operation("IdentityN").inputList(inputs).build().outputs();
  }

  Output stopGradient(Operand input) {
    return scope.operation("StopGradient").input(input).buildOutput();
  }

  /** The input, whose gradient must not be asked for. */
  public Output preventGradient(Operand input, String message) {
    return scope.operation("PreventGradient").input(input).attr("message", message).buildOutput();
  }

  /** The input; the step fails with this message if an element is infinite or not a number. */
  public Output checkNumerics(Operand tensor, String message) {
    return scope.operation("CheckNumerics").input(tensor).attr("message", message).buildOutput();
  }

  Output zerosLike(Operand x) {
    return scope.operation("ZerosLike").input(x).buildOutput();
  }

  Output onesLike(Operand x) {
    return scope.operation("OnesLike").input(x).buildOutput();
  }

  Output fill(Operand dims, Operand value) {
    return scope.operation("Fill").input(dims).input(value).buildOutput();
  }

  /** The same bytes read as elements of another type. */
  public Output bitcast(Operand input, DataType type) {
    return scope.operation("Bitcast").input(input).attr("type", type).buildOutput();
  }

  /**
   * The sum of all elements; the reductions proper are in {@link ReduceOps}, which stands on this
   * family.
   */
  Output sumOfAll(Operand input) {
    Output zero = constantTaking(Tensor.scalar(0));
    Output one = constantTaking(Tensor.scalar(1));
    Output axes = scope.operation("Range").input(zero).input(rank(input)).input(one).buildOutput();
    return scope.operation("Sum").input(input).input(axes).buildOutput();
  }

  private static OpDeclaration checkNumerics(String name, BiConsumer<KernelContext, String> check) {
    return op(name)
        .input("tensor: T")
        .output("output: T")
        .attr("T: {bfloat16, half, float, double}")
        .attr("message: string")
        .stateful()
        .shape(ShapeRules::unchanged)
        .kernel(
            node -> {
              String message = node.attributes().string("message");
              return c -> check.accept(c, message);
            })
        .grad(
            (tf, op, dy) -> {
              String found = "Not a number (NaN) or infinity (Inf) values detected in gradient. ";
              return List.of(
                  tf.scope()
                      .operation(name)
                      .input(dy)
                      .attr("message", found + op.attributes().string("message"))
                      .buildOutput());
            });
  }

  private static void pass(KernelContext context) {
    context.setOutput(0, context.input(0).retain());
  }

  private static void constantShape(InferenceContext context) {
    Tensor value = context.attributes().tensor("value");
    DataType type = context.attributes().type("dtype");
    if (value.type() != type) {
      throw TributaryException.invalidArgument(
          "the value is a %s tensor, but dtype says %s",
          value.type().lowerName(), type.lowerName());
    }
    context.output(0, value.shape());
  }

  private static void passShape(InferenceContext context) {
    context.output(0, context.input(0));
    context.outputHandles(0, context.inputHandles(0));
  }
}
