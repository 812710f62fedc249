package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows of sparse tensors as strings and in maps. */
final class SparseMessageOpRows {
  private static final DataType[] TYPES = {FLOAT, DOUBLE, INT32, INT64, STRING};
  private static final String MATRIX = "indices are a matrix";

  private SparseMessageOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("SerializeSparse")
            .example(() -> one(), strings(Shape.of(3), parts(one())))
            .types(TYPES)
            .without(Draw.Size.SCALAR, MATRIX)
            .draw(d -> SparseDraw.of(d, SparseOpRows.full(d, 1, 3)).call()),
        OpRow.of("SerializeManySparse")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2), 1L, 2L), Tensor.of(7f), Tensor.of(2L, 4L)),
                strings(
                    Shape.of(2, 3),
                    List.of(
                        Tensor.zeros(INT64, Shape.of(0, 1)),
                        Tensor.of(new float[0]),
                        Tensor.of(4L),
                        Tensor.of(Shape.of(1, 1), 2L),
                        Tensor.of(7f),
                        Tensor.of(4L))))
            .types(TYPES)
            .without(Draw.Size.SCALAR, MATRIX)
            .shapeDependsOnValues()
            .draw(d -> SparseDraw.of(d, SparseOpRows.full(d, 2, 3)).call()),
        OpRow.of("DeserializeSparse")
            .example(
                () -> OpCall.of(strings(Shape.of(3), parts(one()))).attr("dtype", FLOAT),
                parts(one()).toArray(new Tensor[0]))
            .types(TYPES)
            .without(Draw.Size.SCALAR, MATRIX)
            .shapeDependsOnValues()
            .draw(d -> messages(d, d.oneOf(Shape.scalar(), Shape.of(2), Shape.of(2, 3)))),
        OpRow.of("DeserializeManySparse")
            .example(
                () -> OpCall.of(strings(Shape.of(1, 3), parts(one()))).attr("dtype", FLOAT),
                Tensor.of(Shape.of(2, 2), 0L, 0L, 0L, 3L),
                Tensor.of(1f, 2f),
                Tensor.of(1L, 4L))
            .types(TYPES)
            .without(Draw.Size.SCALAR, MATRIX)
            .shapeDependsOnValues()
            .draw(d -> messages(d, Shape.of(d.integer(1, 3)))),
        OpRow.of("AddSparseToTensorsMap").script(d -> map()),
        OpRow.of("AddManySparseToTensorsMap").script(d -> map()),
        OpRow.of("TakeManySparseFromTensorsMap").script(d -> map()));
  }

  private static OpCall one() {
    return OpCall.of(Tensor.of(Shape.of(2, 1), 0L, 3L), Tensor.of(1f, 2f), Tensor.of(4L));
  }

  private static List<Tensor> parts(OpCall call) {
    return call.inputs();
  }

  /** The messages of tensors, which it closes. */
  private static Tensor strings(Shape shape, List<Tensor> tensors) {
    Object[] messages =
        tensors.stream().map(tensor -> TensorProtos.toContentProto(tensor).toByteArray()).toArray();
    tensors.forEach(Tensor::close);
    return Tensor.ofObjects(STRING, shape, messages);
  }

  private static OpCall messages(Draw d, Shape batch) {
    int rank = d.integer(1, 3);
    List<Tensor> parts = new ArrayList<>();
    for (int i = 0; i < batch.elementCount(); i++) {
      SparseDraw element = SparseDraw.of(d, SparseOpRows.full(d, rank, rank));
      parts.addAll(List.of(element.indices(), element.values(), element.sizes()));
    }
    return OpCall.of(strings(batch.concatenate(Shape.of(3)), parts)).attr("dtype", d.type());
  }

  /** One sparse tensor and the rows of another, which come back in another order. */
  private static Script map() {
    Ops tf = Ops.create();
    Output first = sparse(tf, "AddSparseToTensorsMap", Tensor.of(Shape.of(1, 1), 4L), "five", 5L);
    Output rows =
        sparse(tf, "AddManySparseToTensorsMap", Tensor.of(Shape.of(1, 2), 1L, 0L), "row", 2L, 3L);
    Operation taken =
        tf.scope()
            .operation("TakeManySparseFromTensorsMap")
            .input(tf.concat(0, rows, tf.reshape(first, tf.constant(new int[] {1}))))
            .attr("dtype", STRING)
            .attr("shared_name", "map")
            .build();
    return Script.on(tf)
        .step(
            Map.of(),
            taken.outputs(),
            List.of(),
            List.of(
                Tensor.of(Shape.of(2, 2), 1L, 0L, 2L, 4L),
                Tensor.of("row", "five"),
                Tensor.of(3L, 5L)));
  }

  private static Output sparse(Ops tf, String op, Tensor indices, String value, long... shape) {
    return tf.scope()
        .operation(op)
        .input(Constants.taking(tf, indices))
        .input(tf.constant(new String[] {value}))
        .input(tf.constant(shape))
        .attr("shared_name", "map")
        .buildOutput();
  }
}
