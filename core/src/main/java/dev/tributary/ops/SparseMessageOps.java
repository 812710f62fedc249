package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.sparse.SparseMap;
import dev.tributary.internal.kernel.sparse.SparseMessages;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Sparse tensors in a form that a queue or a dataset can hold: as strings, or as numbers in a map.
 * Input pipelines of TensorFlow 1 have them; no client adds them.
 */
final class SparseMessageOps {
  private static final int PARTS = 3;

  private SparseMessageOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        sparseInput("SerializeSparse")
            .output("serialized_sparse: out_type")
            .attr("T: type")
            .attr("out_type: {string, variant} = string")
            .shape(
                c -> {
                  requireSparse(c);
                  c.output(0, Shape.of(PARTS));
                })
            .kernel(node -> SparseMessages.serialize(node, SparseMessageOps::bytes))
            .notDifferentiable(),
        sparseInput("SerializeManySparse")
            .output("serialized_sparse: out_type")
            .attr("T: type")
            .attr("out_type: {string, variant} = string")
            .shape(
                c -> {
                  requireSparse(c);
                  c.output(0, Shape.of(Shape.UNKNOWN, PARTS));
                })
            .kernel(node -> SparseMessages.serializeMany(node, SparseMessageOps::bytes))
            .notDifferentiable(),
        sparseOutput(op("DeserializeSparse").input("serialized_sparse: Tserialized"))
            .attr("Tserialized: {string, variant} = string")
            .kernel(node -> SparseMessages.deserialize(node, TensorProtos::toTensor))
            .notDifferentiable(),
        sparseOutput(op("DeserializeManySparse").input("serialized_sparse: string"))
            .kernel(node -> SparseMessages.deserialize(node, TensorProtos::toTensor))
            .notDifferentiable(),
        map(sparseInput("AddSparseToTensorsMap").output("sparse_handle: int64").attr("T: type"))
            .shape(
                c -> {
                  requireSparse(c);
                  ShapeRules.scalar(c);
                })
            .kernel(SparseMap::add)
            .notDifferentiable(),
        map(sparseInput("AddManySparseToTensorsMap")
                .output("sparse_handles: int64")
                .attr("T: type"))
            .shape(
                c -> {
                  requireSparse(c);
                  c.output(0, Shape.ofRank(1));
                })
            .kernel(SparseMap::addMany)
            .notDifferentiable(),
        map(sparseOutput(op("TakeManySparseFromTensorsMap").input("sparse_handles: int64")))
            .kernel(SparseMap::takeMany)
            .notDifferentiable());
  }

  /** Strings, too, are in the content of the message, as in stock's. */
  private static byte[] bytes(Tensor tensor) {
    return TensorProtos.toContentProto(tensor).toByteArray();
  }

  private static Declaration sparseInput(String name) {
    return op(name)
        .input("sparse_indices: int64")
        .input("sparse_values: T")
        .input("sparse_shape: int64");
  }

  private static Declaration sparseOutput(Declaration declaration) {
    return declaration
        .output("sparse_indices: int64")
        .output("sparse_values: dtype")
        .output("sparse_shape: int64")
        .attr("dtype: type")
        .shape(
            c -> {
              c.output(0, Shape.ofRank(2));
              c.output(1, Shape.ofRank(1));
              c.output(2, Shape.ofRank(1));
            });
  }

  private static Declaration map(Declaration declaration) {
    return declaration.attr("container: string = ''").attr("shared_name: string = ''").stateful();
  }

  private static void requireSparse(InferenceContext context) {
    context.withRank(0, 2);
    context.withRank(1, 1);
    context.withRank(2, 1);
  }
}
