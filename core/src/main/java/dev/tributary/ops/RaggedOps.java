package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.ragged.RaggedKernels;
import dev.tributary.internal.kernel.ragged.RaggedRange;
import dev.tributary.internal.kernel.ragged.RaggedToDense;
import dev.tributary.internal.kernel.sparse.SparseShapes;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Ragged tensors: values, and row splits that part them. */
public final class RaggedOps extends RaggedCrossOps {
  RaggedOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RaggedTensorToTensor")
            .input("shape: Tshape")
            .input("values: T")
            .input("default_value: T")
            .input("row_partition_tensors: num_row_partition_tensors * Tindex")
            .output("result: T")
            .attr("T: type")
            .attr("Tindex: {int64, int32}")
            .attr("Tshape: {int64, int32}")
            .attr("num_row_partition_tensors: int >= 1")
            .attr("row_partition_types: list(string)")
            .shape(RaggedOps::denseShape)
            .kernel(RaggedToDense::new)
            .grad(RaggedOps::denseGradient),
        op("RaggedFillEmptyRows")
            .input("value_rowids: int64")
            .input("values: T")
            .input("nrows: int64")
            .input("default_value: T")
            .output("output_value_rowids: int64")
            .output("output_values: T")
            .output("empty_row_indicator: bool")
            .output("reverse_index_map: int64")
            .attr("T: type")
            .shape(RaggedOps::filledShape)
            .kernel(node -> SparseShapes::fillEmptyRaggedRows)
            .gradRule(RaggedOps::fillGradient),
        op("RaggedFillEmptyRowsGrad")
            .input("reverse_index_map: int64")
            .input("grad_values: T")
            .output("d_values: T")
            .output("d_default_value: T")
            .attr("T: type")
            .shape(
                c -> {
                  c.output(0, c.withRank(0, 1));
                  c.withRank(1, 1);
                  c.output(1, Shape.scalar());
                })
            .kernel(
                node -> {
                  Arithmetic.ADD.requireSupport(node.type());
                  return SparseShapes::fillEmptyRowsGradient;
                })
            .notDifferentiable(),
        op("RaggedGather")
            .input("params_nested_splits: PARAMS_RAGGED_RANK * Tsplits")
            .input("params_dense_values: Tvalues")
            .input("indices: Tindices")
            .output("output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits")
            .output("output_dense_values: Tvalues")
            .attr("Tvalues: type")
            .attr("Tindices: {int32, int64}")
            .attr("Tsplits: {int32, int64} = int64")
            .attr("PARAMS_RAGGED_RANK: int >= 1")
            .attr("OUTPUT_RAGGED_RANK: int >= 0")
            .shape(RaggedOps::gatheredShape)
            .kernel(
                node -> {
                  int depth = node.attributes().int32("PARAMS_RAGGED_RANK");
                  return c -> RaggedKernels.gather(c, depth);
                })
            .gradRule(RaggedOps::gatherGradient),
        op("RaggedRange")
            .input("starts: T")
            .input("limits: T")
            .input("deltas: T")
            .output("rt_nested_splits: Tsplits")
            .output("rt_dense_values: T")
            .attr("T: {bfloat16, float, double, int32, int64} = int32")
            .attr("Tsplits: {int32, int64} = int64")
            .shape(RaggedOps::rangeShape)
            .kernel(node -> RaggedRange::compute)
            .notDifferentiable(),
        op("RaggedTensorToSparse")
            .input("rt_nested_splits: RAGGED_RANK * Tsplits")
            .input("rt_dense_values: T")
            .output("sparse_indices: int64")
            .output("sparse_values: T")
            .output("sparse_dense_shape: int64")
            .attr("RAGGED_RANK: int >= 1")
            .attr("T: type")
            .attr("Tsplits: {int32, int64} = int64")
            .shape(
                c -> {
                  int depth = c.inputCount() - 1;
                  Shape values = c.withRankAtLeast(depth, 1);
                  long rank = values.hasRank() ? depth + values.rank() : Shape.UNKNOWN;
                  c.output(0, Shape.of(values.elementCount(), rank));
                  c.output(1, Shape.of(values.elementCount()));
                  c.output(2, Shape.of(rank));
                })
            .kernel(
                node -> {
                  int depth = node.attributes().int32("RAGGED_RANK");
                  return c -> RaggedKernels.toSparse(c, depth);
                })
            .gradRule(
                (scope, op, dy) -> {
                  Ops tf = new Ops(scope);
                  Output values = op.input(op.inputs().size() - 1);
                  return lastOnly(op, tf.reshape((Output) dy.get(1), tf.shape(values)), 1);
                }));
  }

  /** Gradients of which only that of an input counted from the end is there. */
  private static List<GradientValue> lastOnly(Operation op, Output gradient, int fromEnd) {
    List<GradientValue> gradients =
        new ArrayList<>(Collections.nCopies(op.inputs().size(), GradientValue.none()));
    gradients.set(op.inputs().size() - fromEnd, gradient);
    return gradients;
  }

  private static void gatheredShape(InferenceContext context) {
    int depth = context.inputCount() - 2;
    Shape values = context.withRankAtLeast(depth, 1);
    Shape indices = context.withRankAtLeast(depth + 1, 1);
    int last = context.outputCount() - 1;
    if (indices.hasRank() && indices.rank() - 1 + depth != last) {
      throw TributaryException.invalidArgument(
          "OUTPUT_RAGGED_RANK must be %d for indices of shape %s, got %d",
          indices.rank() - 1 + depth, indices, last);
    }
    for (int i = 0; i < last; i++) {
      context.output(i, Shape.ofRank(1));
    }
    if (values.hasRank()) {
      context.output(last, values.withSize(0, Shape.UNKNOWN));
    }
  }

  private static void rangeShape(InferenceContext context) {
    boolean known = true;
    long rows = 1;
    for (int i = 0; i < 3; i++) {
      Shape input = context.input(i);
      known &= input.hasRank() && (input.rank() == 0 || input.isFullyDefined());
      rows = input.hasRank() && input.rank() == 1 ? input.size(0) : rows;
    }
    context.output(0, Shape.of(known ? rows + 1 : Shape.UNKNOWN));
    context.output(1, Shape.ofRank(1));
  }

  /** The numbers of the rows of values, gathered in the same way, tell where each went. */
  private static List<GradientValue> gatherGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    Ops tf = new Ops(scope);
    int depth = op.inputs().size() - 2;
    Output rows = tf.array.at(tf.shape(op.input(depth)), 0);
    Operation moved =
        scope
            .operation("RaggedGather")
            .inputList(op.inputs().subList(0, depth))
            .input(tf.range(tf.constant(0), rows, tf.constant(1)))
            .input(op.input(depth + 1))
            .attr("OUTPUT_RAGGED_RANK", op.outputs().size() - 1)
            .build();
    int last = op.outputs().size() - 1;
    Output sums = tf.math.unsortedSegmentSum((Output) dy.get(last), moved.output(last), rows);
    return lastOnly(op, sums, 2);
  }

  private static void denseShape(InferenceContext context) {
    int raggedRank = RaggedToDense.raggedRank(context.attributes().strings("row_partition_types"));
    boolean open = !context.input(0).hasRank() || context.input(0).rank() == 0;
    Shape wanted = open ? Shape.unknown() : context.knownShape(0);
    context.output(0, RaggedToDense.shape(raggedRank, wanted, context.input(1)));
  }

  /**
   * The numbers of the rows of values, made dense in the same way, tell where each row went: its
   * gradient is there, and what is elsewhere is the default's.
   */
  private static List<GradientValue> denseGradient(Ops tf, Operation op, Output dy) {
    Output values = op.input(1);
    Output rows = tf.array.at(tf.shape(values), 0);
    Output numbers = tf.range(tf.constant(1), tf.add(rows, tf.constant(1)), tf.constant(1));
    int raggedRank = RaggedToDense.raggedRank(op.attributes().strings("row_partition_types"));
    Output sizes = tf.slice(tf.shape(dy), new int[] {0}, new int[] {raggedRank + 1});
    List<Output> partitions = op.inputs().subList(3, op.inputs().size());
    Output places =
        tf.scope()
            .operation("RaggedTensorToTensor")
            .input(tf.cast(sizes, op.input(0).type()))
            .input(numbers)
            .input(tf.constant(0))
            .inputList(partitions)
            .attr("row_partition_types", op.attributes().strings("row_partition_types"))
            .buildOutput();
    Output sums = tf.math.unsortedSegmentSum(dy, places, tf.add(rows, tf.constant(1)));
    List<GradientValue> gradients =
        new ArrayList<>(Collections.nCopies(op.inputs().size(), GradientValue.none()));
    gradients.set(1, tf.gather(sums, numbers));
    gradients.set(2, BroadcastGradients.reduce(tf, op.input(2), tf.array.at(sums, 0)));
    return gradients;
  }

  /** The rows that {@code indices} name. */
  public RaggedTensor gather(RaggedTensor params, Operand indices) {
    Operation gathered =
        scope
            .operation("RaggedGather")
            .inputList(List.of(params.rowSplits()))
            .input(params.values())
            .input(indices)
            .attr("OUTPUT_RAGGED_RANK", 1)
            .build();
    return new RaggedTensor(gathered.output(1), gathered.output(0));
  }

  /** A row of numbers from each start to its limit, with steps of delta. */
  public RaggedTensor range(Operand starts, Operand limits, Operand deltas) {
    Operation range =
        scope.operation("RaggedRange").input(starts).input(limits).input(deltas).build();
    return new RaggedTensor(range.output(1), range.output(0));
  }

  /** The same values as a sparse tensor. */
  public SparseTensor toSparse(RaggedTensor input) {
    return SparseTensor.of(
        scope
            .operation("RaggedTensorToSparse")
            .inputList(List.of(input.rowSplits()))
            .input(input.values())
            .build());
  }

  /**
   * The dense tensor of a ragged one with one ragged dimension. Rows are filled up with the default
   * value to the length of the longest.
   */
  public Output toDense(RaggedTensor input, Operand defaultValue) {
    return scope
        .operation("RaggedTensorToTensor")
        .input(new Ops(scope).constant(-1L))
        .input(input.values())
        .input(defaultValue)
        .inputList(List.of(input.rowSplits()))
        .attr("row_partition_types", List.of("ROW_SPLITS"))
        .buildOutput();
  }

  private static void filledShape(InferenceContext context) {
    long count = context.withRank(0, 1).size(0);
    context.withRank(1, 1);
    context.withRank(2, 0);
    context.withRank(3, 0);
    context.output(0, Shape.of(Shape.UNKNOWN));
    context.output(1, Shape.of(Shape.UNKNOWN));
    context.output(2, Shape.of(context.constant(2).map(Tensor::longValue).orElse(Shape.UNKNOWN)));
    context.output(3, Shape.of(count));
  }

  private static List<GradientValue> fillGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    Operation gradient =
        scope
            .operation("RaggedFillEmptyRowsGrad")
            .input(op.output(3))
            .input((Output) dy.get(1))
            .build();
    return List.of(
        GradientValue.none(), gradient.output(0), GradientValue.none(), gradient.output(1));
  }

  /** Values by rows, each of which has one at least, and what was done to get them. */
  public record FilledRows(
      Output rowIds, Output values, Output emptyRows, Output reverseIndexMap) {}

  /**
   * Gives a default value to each row without values.
   *
   * @param rowIds the row of each value
   */
  public FilledRows fillEmptyRows(
      Operand rowIds, Operand values, Operand rows, Operand defaultValue) {
    Operation filled =
        scope
            .operation("RaggedFillEmptyRows")
            .input(rowIds)
            .input(values)
            .input(rows)
            .input(defaultValue)
            .build();
    return new FilledRows(filled.output(0), filled.output(1), filled.output(2), filled.output(3));
  }
}
