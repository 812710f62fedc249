package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;
import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

final class IndexOpRows {
  private IndexOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Gather")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.of(2, 0, 2)), Tensor.of(3f, 1f, 3f))
            .types(ALL)
            .draw(IndexOpRows::gather)
            .gradientOf(0),
        OpRow.of("GatherV2")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f), Tensor.of(2, 0))
                        .constant(Tensor.scalar(1)),
                Tensor.of(Shape.of(2, 2), 3f, 1f, 6f, 4f))
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f), Tensor.of(1, 0))
                        .constant(Tensor.scalar(1))
                        .attr("batch_dims", 1),
                Tensor.of(2f, 3f))
            .types(ALL)
            .draw(IndexOpRows::gatherV2)
            .gradientOf(0),
        OpRow.of("GatherNd")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f),
                        Tensor.of(Shape.of(3, 2), 0, 1, 1, 0, 1, 0)),
                Tensor.of(2f, 3f, 3f))
            .types(ALL)
            .draw(IndexOpRows::gatherNd)
            .gradientOf(0),
        OpRow.of("ScatterNd")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(3, 1), 1, 3, 1), Tensor.of(1f, 2f, 4f))
                        .constant(Tensor.of(4)),
                Tensor.of(0f, 5f, 0f, 2f))
            .types(
                FLOAT,
                DOUBLE,
                INT32,
                INT64,
                UINT8,
                INT8,
                INT16,
                HALF,
                BFLOAT16,
                BOOL,
                DataType.STRING)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "indices have at least one dimension")
            .draw(IndexOpRows::scatterNd)
            .gradientOf(1),
        OpRow.of("OneHot")
            .example(
                () ->
                    OpCall.of(Tensor.of(2L, -1L, 0L))
                        .constant(Tensor.scalar(3))
                        .input(Tensor.scalar(5f))
                        .input(Tensor.scalar(1f)),
                Tensor.of(Shape.of(3, 3), 1f, 1f, 5f, 1f, 1f, 1f, 5f, 1f, 1f))
            .types(ALL)
            .draw(IndexOpRows::oneHot),
        OpRow.of("Where")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), true, false, true, true)),
                Tensor.of(Shape.of(3, 2), 0L, 0L, 1L, 0L, 1L, 1L))
            .example(() -> OpCall.of(Tensor.of(0f, -1f, -0f)), Tensor.of(Shape.of(1, 1), 1L))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, BOOL, BFLOAT16)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "a scalar has no coordinates")
            .draw(d -> OpCall.of(d.tensor(d.type(), d.shape(1, 4), -1, 1)))
            .shapeDependsOnValues(),
        OpRow.of("Unique")
            .example(
                () -> OpCall.of(Tensor.of(4f, 1f, 4f, 4f, 0f, 1f)),
                Tensor.of(4f, 1f, 0f),
                Tensor.of(0, 1, 0, 0, 2, 1))
            .types(ArrayDraws.ALL_BUT_COMPLEX)
            .without(Draw.Size.SCALAR, "only vectors have unique elements")
            .draw(
                d ->
                    OpCall.of(
                            d.tensor(Shape.of(d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 60))))
                        .attr("out_idx", ArrayDraws.indexType(d)))
            .shapeDependsOnValues(),
        OpRow.of("InvertPermutation")
            .example(() -> OpCall.of(Tensor.of(3, 0, 2, 1)), Tensor.of(1, 3, 2, 0))
            .types(INT32, INT64)
            .without(Draw.Size.SCALAR, "a permutation is a vector")
            .draw(IndexOpRows::invertPermutation),
        OpRow.of("ListDiff")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f, 3f, 2f, 4f), Tensor.of(3f, 1f)),
                Tensor.of(2f, 2f, 4f),
                Tensor.of(1, 3, 4))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16, STRING)
            .without(Draw.Size.SCALAR, "lists are vectors")
            .draw(
                d ->
                    OpCall.of(
                            d.tensor(Shape.of(d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 40))),
                            d.tensor(Shape.of(d.integer(0, 9))))
                        .attr("out_idx", d.oneOf(INT32, INT64)))
            .shapeDependsOnValues(),
        OpRow.of("UnravelIndex")
            .example(
                () -> OpCall.of(Tensor.of(2, 5, 7), Tensor.of(3, 3)),
                Tensor.of(Shape.of(2, 3), 0, 1, 2, 2, 2, 1))
            .types(INT32, INT64)
            .without(Draw.Size.EMPTY, "there must be an index")
            .draw(
                d -> {
                  Shape dims = Shape.of(d.integer(1, 4), d.integer(1, 4)).slice(0, d.integer(1, 2));
                  return OpCall.of(
                      d.indices(d.type(), d.shape(1, 1), 0, (int) dims.elementCount()),
                      ArrayDraws.vector(d.type(), dims.toArray()));
                }));
  }

  private static OpCall gather(Draw d) {
    Shape shape = nonEmpty(d, ArrayDraws.shape(d, 1, 3), 0);
    Shape indices = d.size() == Draw.Size.EMPTY ? Shape.of(2, 0) : d.shape(0, 2);
    DataType type = ArrayDraws.indexType(d);
    return OpCall.of(d.tensor(shape), d.indices(type, indices, 0, (int) shape.size(0)));
  }

  private static OpCall gatherV2(Draw d) {
    Shape shape = ArrayDraws.shape(d, 1, 4);
    int at = d.integer(0, shape.rank() - 1);
    // Stock's native gradient takes neither an axis nor batch dimensions from the end.
    int axis = ArrayDraws.hasGradient(d) || d.flip() ? at : at - shape.rank();
    shape = nonEmpty(d, shape, at);
    int batchDims = d.flip() ? 0 : d.integer(0, at);
    Shape own = d.size() == Draw.Size.EMPTY ? Shape.of(2, 0) : d.shape(0, 2);
    Shape indices = shape.slice(0, batchDims).concatenate(own);
    boolean fromEnd = !ArrayDraws.hasGradient(d) && own.rank() > 0 && d.flip();
    return OpCall.of(
            d.tensor(shape),
            d.indices(ArrayDraws.anyIndexType(d), indices, 0, (int) shape.size(at)))
        .constant(ArrayDraws.scalar(ArrayDraws.indexType(d), axis))
        .attr("batch_dims", fromEnd ? batchDims - indices.rank() : batchDims);
  }

  private static OpCall gatherNd(Draw d) {
    Shape shape = d.size() == Draw.Size.EMPTY ? full(d) : ArrayDraws.shape(d, 1, 4);
    // No ScatterNd, and so no gradient, takes indices without elements for a tensor that has some.
    int depth =
        d.size() == Draw.Size.SCALAR
            ? 1
            : d.integer(ArrayDraws.hasGradient(d) ? 1 : 0, shape.rank());
    // Stock's native gradient does not take a lone index vector.
    Shape rows =
        d.size() == Draw.Size.EMPTY ? Shape.of(0) : d.shape(ArrayDraws.hasGradient(d) ? 1 : 0, 2);
    return OpCall.of(d.tensor(shape), ndIndices(d, ArrayDraws.anyIndexType(d), shape, rows, depth));
  }

  private static OpCall scatterNd(Draw d) {
    Shape shape = full(d);
    int depth = d.integer(1, shape.rank());
    Shape rows = d.size() == Draw.Size.EMPTY ? Shape.of(0) : d.shape(1, 2);
    DataType type = ArrayDraws.indexType(d);
    Shape updates = rows.concatenate(shape.slice(depth, shape.rank()));
    return OpCall.of(ndIndices(d, type, shape, rows, depth), d.tensor(updates))
        .constant(ArrayDraws.vector(type, shape.toArray()));
  }

  /** A shape with elements, whatever sizes are drawn. */
  private static Shape full(Draw d) {
    return new Draw(d.integer(0, 99), d.type(), Draw.Size.ORDINARY).shape(1, 4);
  }

  static Tensor ndIndices(Draw d, DataType type, Shape shape, Shape rows, int depth) {
    long[] values = new long[(int) rows.elementCount() * depth];
    for (int i = 0; i < values.length; i++) {
      values[i] = d.integer(0, (int) shape.size(i % depth) - 1);
    }
    return ArrayDraws.integers(type, rows.concatenate(Shape.of(depth)), values);
  }

  private static OpCall oneHot(Draw d) {
    Shape shape = d.shape(0, 3);
    DataType type = d.oneOf(UINT8, INT32, INT64, INT8);
    Tensor indices = d.indices(type, shape, type == UINT8 ? 0 : -1, 7);
    return OpCall.of(indices)
        .constant(Tensor.scalar(d.integer(0, 6)))
        .input(d.tensor(Shape.scalar()))
        .input(d.tensor(Shape.scalar()))
        .attr("axis", d.integer(-1, shape.rank()));
  }

  private static OpCall invertPermutation(Draw d) {
    List<Integer> order = new ArrayList<>();
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 8);
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    Collections.shuffle(order, d.random());
    return OpCall.of(
        ArrayDraws.vector(d.type(), order.stream().mapToLong(Integer::longValue).toArray()));
  }

  /** The shape with something to index along an axis. */
  private static Shape nonEmpty(Draw d, Shape shape, int axis) {
    return shape.size(axis) > 0 ? shape : shape.withSize(axis, d.integer(1, 5));
  }
}
