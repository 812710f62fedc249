package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.kernel.io.ParseExampleKernels;
import dev.tributary.tensor.Shape;
import java.util.List;

/** The ops that turn serialized examples into tensors. */
final class ParseDeclarations {
  private ParseDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("ParseExample")
            .input("serialized: string")
            .input("names: string")
            .input("sparse_keys: Nsparse * string")
            .input("dense_keys: Ndense * string")
            .input("dense_defaults: Tdense")
            .output("sparse_indices: Nsparse * int64")
            .output("sparse_values: sparse_types")
            .output("sparse_shapes: Nsparse * int64")
            .output("dense_values: Tdense")
            .attr("Nsparse: int >= 0")
            .attr("Ndense: int >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("dense_shapes: list(shape) >= 0")
            .shape(
                c -> {
                  c.withRank(0, 1);
                  shapes(c, c.input(0), 0);
                })
            .kernel(ParseExampleKernels::parseExample)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("ParseExampleV2")
            .input("serialized: string")
            .input("names: string")
            .input("sparse_keys: string")
            .input("dense_keys: string")
            .input("ragged_keys: string")
            .input("dense_defaults: Tdense")
            .output("sparse_indices: num_sparse * int64")
            .output("sparse_values: sparse_types")
            .output("sparse_shapes: num_sparse * int64")
            .output("dense_values: Tdense")
            .output("ragged_values: ragged_value_types")
            .output("ragged_row_splits: ragged_split_types")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("num_sparse: int >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("ragged_value_types: list({float, int64, string}) >= 0")
            .attr("ragged_split_types: list({int32, int64}) >= 0")
            .attr("dense_shapes: list(shape) >= 0")
            .shape(
                c -> {
                  Shape batch = c.input(0);
                  int ragged = c.attributes().types("ragged_value_types").size();
                  shapes(c, batch, ragged);
                })
            .kernel(ParseExampleKernels::parseExampleV2)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("ParseSingleExample")
            .input("serialized: string")
            .input("dense_defaults: Tdense")
            .output("sparse_indices: num_sparse * int64")
            .output("sparse_values: sparse_types")
            .output("sparse_shapes: num_sparse * int64")
            .output("dense_values: Tdense")
            .attr("num_sparse: int >= 0")
            .attr("sparse_keys: list(string) >= 0")
            .attr("dense_keys: list(string) >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("dense_shapes: list(shape) >= 0")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  shapes(c, Shape.scalar(), 0);
                })
            .kernel(ParseExampleKernels::parseSingleExample)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  /**
   * Sparse tensors have a dimension for the examples, if there is one, and one for values; dense
   * ones have theirs behind it.
   */
  private static void shapes(InferenceContext context, Shape batch, int ragged) {
    int sparse = context.attributes().types("sparse_types").size();
    List<Shape> dense = context.attributes().shapes("dense_shapes");
    boolean knows = 3 * sparse + dense.size() + 2 * ragged == context.outputCount();
    if (!knows || !batch.hasRank()) {
      return;
    }
    int rank = batch.rank() + 1;
    for (int i = 0; i < sparse; i++) {
      context.output(i, Shape.of(Shape.UNKNOWN, rank));
      context.output(sparse + i, Shape.ofRank(1));
      context.output(2 * sparse + i, Shape.of(rank));
    }
    for (int i = 0; i < dense.size(); i++) {
      context.output(3 * sparse + i, batch.concatenate(dense.get(i)));
    }
    for (int i = 0; i < ragged; i++) {
      int values = 3 * sparse + dense.size() + i;
      context.output(values, Shape.ofRank(1));
      context.output(values + ragged, Shape.ofRank(1));
    }
  }
}
