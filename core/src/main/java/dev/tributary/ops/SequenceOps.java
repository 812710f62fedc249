package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.math.LinSpaceKernel;
import dev.tributary.internal.kernel.math.RangeKernel;
import dev.tributary.internal.kernel.math.ScanKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Sequences of numbers, and running folds along an axis. */
abstract sealed class SequenceOps extends BucketOps permits SegmentOps {
  private static final int KNOWN_LIMIT = 256;

  SequenceOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Range")
            .input("start: Tidx")
            .input("limit: Tidx")
            .input("delta: Tidx")
            .output("output: Tidx")
            .attr(
                "Tidx: {bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32} ="
                    + " int32")
            .shape(SequenceOps::rangeShape)
            .value(SequenceOps::knownRange)
            .kernel(RangeKernel::new)
            .notDifferentiable(),
        op("LinSpace")
            .input("start: T")
            .input("stop: T")
            .input("num: Tidx")
            .output("output: T")
            .attr(TypeSpecs.REAL)
            .attr("Tidx: {int32, int64} = int32")
            .shape(SequenceOps::linSpaceShape)
            .kernel(LinSpaceKernel::new)
            .notDifferentiable(),
        scan("Cumsum", TypeSpecs.NUMBER, ScanKernel.of(Folds.SUM))
            .grad(SequenceOps::cumsumGradient),
        scan("Cumprod", TypeSpecs.NUMBER, ScanKernel.of(Folds.PRODUCT))
            .grad(SequenceOps::cumprodGradient),
        scan("CumulativeLogsumexp", TypeSpecs.REAL, ScanKernel.of(Folds.LOG_SUM_EXP))
            .grad(SequenceOps::logSumExpGradient));
  }

  private static Declaration scan(String name, String types, KernelFactory kernel) {
    return op(name)
        .input("x: T")
        .input("axis: Tidx")
        .output("out: T")
        .attr("exclusive: bool = false")
        .attr("reverse: bool = false")
        .attr(types)
        .attr("Tidx: {int32, int64} = int32")
        .shape(ShapeRules::unchanged)
        .kernel(kernel);
  }

  private static void rangeShape(InferenceContext context) {
    for (int i = 0; i < 3; i++) {
      context.withRank(i, 0);
    }
    long count =
        bounds(context).map(b -> RangeKernel.count(b[0], b[1], b[2])).orElse(Shape.UNKNOWN);
    context.output(0, Shape.of(count));
  }

  private static Optional<KnownValue> knownRange(InferenceContext context) {
    return bounds(context)
        .filter(b -> RangeKernel.count(b[0], b[1], b[2]) <= KNOWN_LIMIT)
        .map(
            b ->
                KnownValue.vector(
                    LongStream.range(0, RangeKernel.count(b[0], b[1], b[2]))
                        .map(i -> b[0] + i * b[2])
                        .toArray()));
  }

  /** Start, limit and delta, if all are known integers. */
  private static Optional<long[]> bounds(InferenceContext context) {
    long[] bounds = new long[3];
    for (int i = 0; i < 3; i++) {
      Optional<KnownValue> known = context.known(i).filter(KnownValue::isComplete);
      if (known.isEmpty()) {
        return Optional.empty();
      }
      bounds[i] = known.get().elements()[0];
    }
    return Optional.of(bounds);
  }

  private static void linSpaceShape(InferenceContext context) {
    for (int i = 0; i < 3; i++) {
      context.withRank(i, 0);
    }
    Optional<KnownValue> count = context.known(2).filter(KnownValue::isComplete);
    long size = count.map(known -> known.elements()[0]).orElse(Shape.UNKNOWN);
    if (count.isPresent() && size <= 0) {
      throw TributaryException.invalidArgument("Requires num > 0: %d", size);
    }
    context.output(0, Shape.of(size));
  }

  private static List<GradientValue> cumsumGradient(Ops tf, Operation op, Output dy) {
    return List.of(runBack(tf, op, dy), GradientValue.none());
  }

  /** Wrong where an element is 0, as TensorFlow's is. */
  private static List<GradientValue> cumprodGradient(Ops tf, Operation op, Output dy) {
    Output sums = runBack(tf, op, tf.mul(op.output(0), dy));
    return List.of(tf.math.divNoNan(sums, op.input(0)), GradientValue.none());
  }

  /** Positive and negative gradients are summed apart, as sums of exponentials. */
  private static List<GradientValue> logSumExpGradient(Ops tf, Operation op, Output dy) {
    Output positive = logSumExpPart(tf, op, dy);
    Output negative = logSumExpPart(tf, op, tf.neg(dy));
    return List.of(tf.sub(positive, negative), GradientValue.none());
  }

  private static Output logSumExpPart(Ops tf, Operation op, Output dy) {
    Output zero = tf.constant(dy.type(), 0);
    Output least = tf.constant(dy.type(), leastFinite(dy.type()));
    Output logarithms = tf.where(tf.greater(dy, zero), tf.log(dy), least);
    boolean exclusive = op.attributes().bool("exclusive");
    boolean reverse = op.attributes().bool("reverse");
    Output shifted = tf.sub(logarithms, op.output(0));
    Output sums = tf.math.scan("CumulativeLogsumexp", shifted, op.input(1), exclusive, !reverse);
    return tf.exp(tf.add(sums, op.input(0)));
  }

  private static double leastFinite(DataType type) {
    return switch (type) {
      case DOUBLE -> -Double.MAX_VALUE;
      case HALF -> -65504;
      case BFLOAT16 -> -0x1.fep127;
      default -> -Float.MAX_VALUE;
    };
  }

  /** A running sum against the direction of a scan. */
  private static Output runBack(Ops tf, Operation op, Output x) {
    boolean exclusive = op.attributes().bool("exclusive");
    boolean reverse = op.attributes().bool("reverse");
    return tf.math.scan("Cumsum", x, op.input(1), exclusive, !reverse);
  }

  Output range(Operand start, Operand limit, Operand delta) {
    return scope.operation("Range").input(start).input(limit).input(delta).buildOutput();
  }

  /** Evenly spaced numbers from start to stop. */
  public Output linSpace(Operand start, Operand stop, Operand count) {
    return scope.operation("LinSpace").input(start).input(stop).input(count).buildOutput();
  }

  public Output cumsum(Operand x, int axis) {
    return cumsum(x, axis, false, false);
  }

  /** An exclusive scan leaves each element itself out; a reverse one begins at the end. */
  public Output cumsum(Operand x, int axis, boolean exclusive, boolean reverse) {
    return scan("Cumsum", x, new Ops(scope).constant(axis), exclusive, reverse);
  }

  public Output cumprod(Operand x, int axis) {
    return cumprod(x, axis, false, false);
  }

  /** An exclusive scan leaves each element itself out; a reverse one begins at the end. */
  public Output cumprod(Operand x, int axis, boolean exclusive, boolean reverse) {
    return scan("Cumprod", x, new Ops(scope).constant(axis), exclusive, reverse);
  }

  /** The logarithms of running sums of exponentials. */
  public Output cumulativeLogSumExp(Operand x, int axis, boolean exclusive, boolean reverse) {
    return scan("CumulativeLogsumexp", x, new Ops(scope).constant(axis), exclusive, reverse);
  }

  Output scan(String op, Operand x, Operand axis, boolean exclusive, boolean reverse) {
    return scope
        .operation(op)
        .input(x)
        .input(axis)
        .attr("exclusive", exclusive)
        .attr("reverse", reverse)
        .buildOutput();
  }
}
