package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Bucketing;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Ops that sort numbers into ranges. */
abstract sealed class BucketOps extends CountingOps permits SequenceOps {
  private static final String TYPES = "T: {int32, int64, float, double}";

  BucketOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Bucketize")
            .input("input: T")
            .output("output: int32")
            .attr(TYPES)
            .attr("boundaries: list(float)")
            .shape(ShapeRules::unchanged)
            .kernel(Bucketing::bucketize)
            .notDifferentiable(),
        op("HistogramFixedWidth")
            .input("values: T")
            .input("value_range: T")
            .input("nbins: int32")
            .output("out: dtype")
            .attr(TYPES)
            .attr("dtype: {int32, int64} = int32")
            .shape(
                c -> {
                  c.withRank(1, 1);
                  c.withRank(2, 0);
                  long bins =
                      KnownValues.complete(c, 2).map(known -> known[0]).orElse(Shape.UNKNOWN);
                  c.output(0, Shape.of(Math.max(Shape.UNKNOWN, bins)));
                })
            .kernel(
                node -> {
                  Bucketing.requireType(node.type());
                  return Bucketing::histogram;
                })
            .notDifferentiable());
  }

  /** The number of the range between ascending boundaries that each element lies in, from 0 on. */
  public Output bucketize(Operand input, float... boundaries) {
    List<Float> ascending = new ArrayList<>();
    for (float boundary : boundaries) {
      ascending.add(boundary);
    }
    return scope.operation("Bucketize").input(input).attr("boundaries", ascending).buildOutput();
  }

  /**
   * Counts the values in each of {@code bins} parts of equal width of a range [first, last]; values
   * out of range count in the outer parts.
   */
  public Output histogramFixedWidth(Operand values, Operand range, Operand bins) {
    return scope
        .operation("HistogramFixedWidth")
        .input(values)
        .input(range)
        .input(bins)
        .buildOutput();
  }
}
