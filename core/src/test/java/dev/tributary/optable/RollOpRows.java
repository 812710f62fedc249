package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Moves along an axis, and sorting into ranges. */
final class RollOpRows {
  private RollOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Roll")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.scalar(-1), Tensor.scalar(0)),
                Tensor.of(2f, 3f, 1f))
            .types(ALL)
            .draw(RollOpRows::roll)
            .gradientOf(0),
        OpRow.of("ReverseSequence")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f), Tensor.of(2L, 3L))
                        .attr("seq_dim", 1),
                Tensor.of(Shape.of(2, 3), 2f, 1f, 3f, 6f, 5f, 4f))
            .types(
                FLOAT,
                DOUBLE,
                INT32,
                INT64,
                DataType.UINT8,
                DataType.INT8,
                DataType.INT16,
                DataType.BOOL,
                DataType.HALF,
                DataType.BFLOAT16)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.SCALAR, "there are batches of sequences")
            .draw(RollOpRows::reverseSequence)
            .gradientOf(0),
        OpRow.of("Bucketize")
            .example(
                () -> OpCall.of(Tensor.of(-5f, 1f, 3f, 9f)).attr("boundaries", List.of(1f, 4f)),
                Tensor.of(0, 1, 1, 2))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(0, 3)))
                        .attr("boundaries", d.oneOf(List.of(), List.of(-1f, 0f, 0f, 1.5f)))),
        OpRow.of("HistogramFixedWidth")
            .example(
                () ->
                    OpCall.of(Tensor.of(-1f, 0f, 1.5f, 2f, 5f, 15f), Tensor.of(0f, 5f))
                        .constant(Tensor.scalar(5)),
                Tensor.of(2, 1, 1, 0, 2))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(0, 3)), range(d.type()))
                        .constant(Tensor.scalar(d.integer(1, 7)))
                        .attr("dtype", d.oneOf(INT32, INT64))));
  }

  private static OpCall roll(Draw d) {
    Shape shape = ArrayDraws.shape(d, 1, 4);
    DataType type = d.oneOf(INT32, INT64);
    if (d.size() == Draw.Size.SCALAR || d.flip()) {
      return OpCall.of(
          d.tensor(shape),
          ArrayDraws.scalar(type, d.integer(-9, 9)),
          ArrayDraws.scalar(INT32, ArrayDraws.axis(d, shape.rank())));
    }
    int count = d.integer(1, 4);
    long[] axes = new long[count];
    java.util.Arrays.setAll(axes, i -> ArrayDraws.axis(d, shape.rank()));
    return OpCall.of(
        d.tensor(shape), d.indices(type, Shape.of(count), -9, 10), ArrayDraws.vector(INT64, axes));
  }

  private static OpCall reverseSequence(Draw d) {
    Shape shape = d.shape(2, 4);
    int sequence = d.integer(0, shape.rank() - 1);
    int batch = (sequence + d.integer(1, shape.rank() - 1)) % shape.rank();
    return OpCall.of(
            d.tensor(shape),
            d.indices(
                d.oneOf(INT32, INT64),
                Shape.of(shape.size(batch)),
                0,
                (int) shape.size(sequence) + 1))
        .attr("seq_dim", sequence)
        .attr("batch_dim", batch);
  }

  private static Tensor range(DataType type) {
    return switch (type) {
      case FLOAT -> Tensor.of(-1f, 1.7f);
      case DOUBLE -> Tensor.of(-1.0, 1.7);
      case INT32 -> Tensor.of(-5, 6);
      default -> Tensor.of(-5L, 6L);
    };
  }
}
