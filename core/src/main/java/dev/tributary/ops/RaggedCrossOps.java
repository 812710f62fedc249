package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.sparse.RaggedCross;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Crosses of the features of ragged, sparse and dense columns. */
abstract sealed class RaggedCrossOps permits RaggedOps {
  /** The key of TensorFlow's own crosses. */
  private static final long HASH_KEY = 0xDECAFCAFFEL;

  final Scope scope;

  RaggedCrossOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RaggedCross")
            .input("ragged_values: ragged_values_types")
            .input("ragged_row_splits: ragged_splits_types")
            .input("sparse_indices: Nsparse * int64")
            .input("sparse_values: sparse_values_types")
            .input("sparse_shape: Nsparse * int64")
            .input("dense_inputs: dense_types")
            .output("output_values: out_values_type")
            .output("output_row_splits: out_row_splits_type")
            .attr("Nsparse: int >= 0")
            .attr("input_order: string")
            .attr("hashed_output: bool")
            .attr("num_buckets: int >= 0")
            .attr("hash_key: int")
            .attr("ragged_values_types: list({int64, string}) >= 0")
            .attr("ragged_splits_types: list({int32, int64}) >= 0")
            .attr("sparse_values_types: list({int64, string}) >= 0")
            .attr("dense_types: list({int64, string}) >= 0")
            .attr("out_values_type: {int64, string}")
            .attr("out_row_splits_type: {int32, int64}")
            .shape(
                c -> {
                  c.output(0, Shape.ofRank(1));
                  c.output(1, Shape.ofRank(1));
                })
            .kernel(RaggedCross::kernel)
            .notDifferentiable());
  }

  /** All combinations of the features that ragged columns have in a row, as joined strings. */
  public RaggedTensor cross(List<RaggedTensor> columns) {
    return cross(columns, false, 0);
  }

  /** The same as hashes from 0 to below a number of buckets, as TensorFlow computes them. */
  public RaggedTensor crossHashed(List<RaggedTensor> columns, long buckets) {
    return cross(columns, true, buckets);
  }

  private RaggedTensor cross(List<RaggedTensor> columns, boolean hashed, long buckets) {
    Operation cross =
        scope
            .operation("RaggedCross")
            .inputList(columns.stream().map(RaggedTensor::values).toList())
            .inputList(columns.stream().map(RaggedTensor::rowSplits).toList())
            .inputList(List.of())
            .inputList(List.of())
            .inputList(List.of())
            .inputList(List.of())
            .attr("Nsparse", 0)
            .attr("input_order", "R".repeat(columns.size()))
            .attr("hashed_output", hashed)
            .attr("num_buckets", buckets)
            .attr("hash_key", HASH_KEY)
            .attr("out_values_type", hashed ? DataType.INT64 : DataType.STRING)
            .attr("out_row_splits_type", DataType.INT64)
            .build();
    return new RaggedTensor(cross.output(0), cross.output(1));
  }
}
