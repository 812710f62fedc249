package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reshaping;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Ops that look at or change the shape of a tensor. */
abstract sealed class ShapeOps extends JoinOps permits ArrayOps {
  ShapeOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Shape")
            .flag(OpFlag.METADATA)
            .input("input: T")
            .output("output: out_type")
            .attr("T: type")
            .attr("out_type: {int32, int64} = int32")
            .shape(c -> c.output(0, Shape.of(c.input(0).rank())))
            .value(c -> KnownValue.ofShape(c.input(0)))
            .kernel(node -> c -> IndexTensors.setVector(c, 0, c.input(0).shape().toArray()))
            .notDifferentiable(),
        op("ShapeN")
            .flag(OpFlag.METADATA)
            .input("input: N * T")
            .output("output: N * out_type")
            .attr("N: int >= 1")
            .attr("T: type")
            .attr("out_type: {int32, int64} = int32")
            .shape(
                c ->
                    IntStream.range(0, c.inputCount())
                        .forEach(i -> c.output(i, Shape.of(c.input(i).rank()))))
            .kernel(
                node ->
                    c -> {
                      for (int i = 0; i < c.inputCount(); i++) {
                        IndexTensors.setVector(c, i, c.input(i).shape().toArray());
                      }
                    })
            .notDifferentiable(),
        op("Size")
            .flag(OpFlag.METADATA)
            .input("input: T")
            .output("output: out_type")
            .attr("T: type")
            .attr("out_type: {int32, int64} = int32")
            .shape(ShapeRules::scalar)
            .value(c -> known(c.input(0).elementCount()))
            .kernel(node -> c -> IndexTensors.setScalar(c, 0, c.input(0).elementCount()))
            .notDifferentiable(),
        op("Rank")
            .flag(OpFlag.METADATA)
            .input("input: T")
            .output("output: int32")
            .attr("T: type")
            .shape(ShapeRules::scalar)
            .value(c -> known(c.input(0).rank()))
            .kernel(node -> c -> IndexTensors.setScalar(c, 0, c.input(0).rank()))
            .notDifferentiable(),
        op("Reshape")
            .flag(OpFlag.RESHAPES)
            .input("tensor: T")
            .input("shape: Tshape")
            .output("output: T")
            .attr("T: type")
            .attr("Tshape: {int32, int64} = int32")
            .shape(ShapeOps::reshapeShape)
            .value(c -> KnownValues.withRank(c.known(0), c.knownShape(1).rank()))
            .kernel(
                node ->
                    c -> {
                      if (c.input(1).rank() != 1) {
                        throw TributaryException.invalidArgument(
                            "shape must be a vector, got shape %s", c.input(1).shape());
                      }
                      Tensor input = c.input(0);
                      c.setOutput(
                          0,
                          input.withShape(
                              Reshaping.reshape(input.shape(), c.input(1).toIndices())));
                    })
            .grad(ShapeOps::reshapeBack),
        op("ExpandDims")
            .input("input: T")
            .input("dim: Tdim")
            .output("output: T")
            .attr("T: type")
            .attr("Tdim: {int32, int64} = int32")
            .shape(ShapeOps::expandShape)
            .value(c -> KnownValues.withRank(c.known(0).filter(KnownValue::isScalar), 1))
            .kernel(
                node ->
                    c -> {
                      Tensor input = c.input(0);
                      long dimension = IndexTensors.scalar(c.input(1), "dim");
                      c.setOutput(0, input.withShape(Reshaping.expand(input.shape(), dimension)));
                    })
            .grad(ShapeOps::reshapeBack),
        op("Squeeze")
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .attr("squeeze_dims: list(int) >= 0 = []")
            .shape(
                c ->
                    c.output(
                        0, Reshaping.squeeze(c.input(0), c.attributes().integers("squeeze_dims"))))
            .value(c -> KnownValues.withRank(c.known(0), squeezedRank(c)))
            .kernel(
                node -> {
                  long[] dimensions = node.attributes().integers("squeeze_dims");
                  return c -> {
                    Tensor input = c.input(0);
                    c.setOutput(0, input.withShape(Reshaping.squeeze(input.shape(), dimensions)));
                  };
                })
            .grad((tf, op, dy) -> List.of(tf.reshape(dy, tf.shape(op.input(0))))),
        op("BroadcastArgs")
            .input("s0: T")
            .input("s1: T")
            .output("r0: T")
            .attr("T: {int32, int64} = int32")
            .shape(
                c -> {
                  long left = c.withRank(0, 1).size(0);
                  long right = c.withRank(1, 1).size(0);
                  boolean known = left != Shape.UNKNOWN && right != Shape.UNKNOWN;
                  c.output(0, Shape.of(known ? Math.max(left, right) : Shape.UNKNOWN));
                })
            .kernel(
                node ->
                    c -> {
                      Shape left = IndexTensors.toShape(c.input(0));
                      Shape right = IndexTensors.toShape(c.input(1));
                      IndexTensors.setVector(c, 0, Broadcast.shape(left, right).toArray());
                    })
            .notDifferentiable(),
        op("BroadcastGradientArgs")
            .input("s0: T")
            .input("s1: T")
            .output("r0: T")
            .output("r1: T")
            .attr("T: {int32, int64} = int32")
            .shape(
                c -> {
                  c.withRank(0, 1);
                  c.withRank(1, 1);
                  c.output(0, Shape.ofRank(1));
                  c.output(1, Shape.ofRank(1));
                })
            .kernel(
                node ->
                    c -> {
                      Broadcast.ReductionAxes axes =
                          Broadcast.reductionAxes(
                              IndexTensors.toShape(c.input(0)), IndexTensors.toShape(c.input(1)));
                      IndexTensors.setVector(
                          c, 0, IntStream.of(axes.left()).asLongStream().toArray());
                      IndexTensors.setVector(
                          c, 1, IntStream.of(axes.right()).asLongStream().toArray());
                    })
            .notDifferentiable());
  }

  private static Optional<KnownValue> known(long value) {
    return value < 0 ? Optional.empty() : Optional.of(KnownValue.scalar(value));
  }

  private static void reshapeShape(InferenceContext context) {
    context.withRank(1, 1);
    Optional<KnownValue> wanted = context.known(1);
    boolean complete = wanted.isPresent() && wanted.get().isComplete();
    context.output(
        0,
        complete
            ? Reshaping.reshape(context.input(0), wanted.get().elements())
            : context.knownShape(1));
  }

  private static void expandShape(InferenceContext context) {
    Optional<KnownValue> dimension = context.known(1).filter(KnownValue::isComplete);
    Shape input = context.input(0);
    if (!input.hasRank()) {
      return;
    }
    if (dimension.isPresent() && dimension.get().elements().length == 1) {
      context.output(0, Reshaping.expand(input, dimension.get().elements()[0]));
    } else {
      context.output(0, Shape.ofRank(input.rank() + 1));
    }
  }

  private static int squeezedRank(InferenceContext context) {
    return Reshaping.squeeze(context.input(0), context.attributes().integers("squeeze_dims"))
        .rank();
  }

  private static List<GradientValue> reshapeBack(Ops tf, Operation op, Output dy) {
    return List.of(tf.reshape(dy, tf.shape(op.input(0))), GradientValue.none());
  }

  Output shape(Operand input) {
    return scope.operation("Shape").input(input).buildOutput();
  }

  public Output shape(Operand input, DataType type) {
    return scope.operation("Shape").input(input).attr("out_type", type).buildOutput();
  }

  public List<Output> shapeN(List<? extends Operand> inputs) {
    return scope.operation("ShapeN").inputList(inputs).build().outputs();
  }

  Output size(Operand input) {
    return scope.operation("Size").input(input).buildOutput();
  }

  public Output rank(Operand input) {
    return scope.operation("Rank").input(input).buildOutput();
  }

  Output reshape(Operand tensor, Operand shape) {
    return scope.operation("Reshape").input(tensor).input(shape).buildOutput();
  }

  Output reshape(Operand tensor, long... sizes) {
    return reshape(tensor, new Ops(scope).constant(sizes));
  }

  Output expandDims(Operand input, int dimension) {
    return scope
        .operation("ExpandDims")
        .input(input)
        .input(new Ops(scope).constant(dimension))
        .buildOutput();
  }

  Output squeeze(Operand input, long... dimensions) {
    return scope.operation("Squeeze").input(input).attr("squeeze_dims", dimensions).buildOutput();
  }

  /** The shape that two shapes broadcast to. */
  public Output broadcastArgs(Operand s0, Operand s1) {
    return scope.operation("BroadcastArgs").input(s0).input(s1).buildOutput();
  }

  /** The axes over which the gradients of two broadcast operands of these shapes are summed. */
  public List<Output> broadcastGradientArgs(Operand s0, Operand s1) {
    return scope.operation("BroadcastGradientArgs").input(s0).input(s1).build().outputs();
  }
}
