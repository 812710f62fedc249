package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class JoinOpRows {
  private JoinOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Concat")
            .example(
                () ->
                    OpCall.of()
                        .constant(Tensor.scalar(0))
                        .input(Tensor.of(1f, 2f))
                        .input(Tensor.of(3f)),
                Tensor.of(1f, 2f, 3f))
            .types(ALL)
            .draw(d -> concat(d, true))
            .gradientOf(1, 2),
        OpRow.of("ConcatV2")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 1), 1f, 2f),
                            Tensor.of(Shape.of(2, 2), 3f, 4f, 5f, 6f))
                        .constant(Tensor.scalar(-1)),
                Tensor.of(Shape.of(2, 3), 1f, 3f, 4f, 2f, 5f, 6f))
            .types(ALL)
            .draw(d -> concat(d, false))
            .gradientOf(0, 1),
        OpRow.of("ParallelConcat")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(Shape.of(1, 2), 3f, 4f))
                        .attr("shape", Shape.of(2, 2)),
                Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .without(Draw.Size.SCALAR, "each value is a row")
            .draw(JoinOpRows::parallelConcat),
        OpRow.of("ConcatOffset")
            .example(
                () ->
                    OpCall.of(
                        Tensor.scalar(1),
                        Tensor.of(2, 3, 5),
                        Tensor.of(2, 7, 5),
                        Tensor.of(2, 1, 5)),
                Tensor.of(0, 0, 0),
                Tensor.of(0, 3, 0),
                Tensor.of(0, 10, 0))
            .types(INT32, INT64)
            .without(Draw.Size.EMPTY, "a tensor without dimensions has no axis")
            .draw(JoinOpRows::concatOffset),
        OpRow.of("Split")
            .example(
                () ->
                    OpCall.of()
                        .constant(Tensor.scalar(0))
                        .input(Tensor.of(1f, 2f, 3f, 4f))
                        .attr("num_split", 2),
                Tensor.of(1f, 2f),
                Tensor.of(3f, 4f))
            .types(ALL)
            .draw(JoinOpRows::split)
            .gradientOf(1),
        OpRow.of("SplitV")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f, 4f))
                        .constant(Tensor.of(1, -1))
                        .constant(Tensor.scalar(0))
                        .attr("num_split", 2),
                Tensor.of(1f),
                Tensor.of(2f, 3f, 4f))
            .types(ALL)
            .draw(JoinOpRows::splitV)
            .gradientOf(0),
        OpRow.of("Pack")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(3f, 4f)).attr("axis", 1),
                Tensor.of(Shape.of(2, 2), 1f, 3f, 2f, 4f))
            .types(ALL)
            .draw(JoinOpRows::pack)
            .gradientOf(0, 1, 2),
        OpRow.of("Unpack")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f))
                        .attr("num", 2)
                        .attr("axis", -1),
                Tensor.of(1f, 3f),
                Tensor.of(2f, 4f))
            .types(ALL)
            .draw(JoinOpRows::unpack)
            .gradientOf(0));
  }

  private static OpCall concat(Draw d, boolean axisFirst) {
    Shape shape = ArrayDraws.shape(d, 1, 4);
    int axis = ArrayDraws.axis(d, shape.rank());
    int at = ArrayDraws.fromFront(axis, shape.rank());
    OpCall call = OpCall.of();
    if (axisFirst) {
      call.constant(Tensor.scalar(axis));
    }
    int count = d.integer(2, 4);
    for (int i = 0; i < count; i++) {
      call.input(d.tensor(i == 0 ? shape : shape.withSize(at, d.integer(0, 4))));
    }
    return axisFirst ? call : call.constant(ArrayDraws.scalar(ArrayDraws.indexType(d), axis));
  }

  private static OpCall concatOffset(Draw d) {
    int rank = d.integer(1, 4);
    int axis = ArrayDraws.axis(d, rank);
    long[] sizes = new long[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = d.integer(0, 5);
    }
    OpCall call = OpCall.of(Tensor.scalar(axis));
    int count = d.integer(2, 4);
    for (int i = 0; i < count; i++) {
      sizes[ArrayDraws.fromFront(axis, rank)] = d.integer(0, 5);
      call.input(ArrayDraws.vector(d.type(), sizes.clone()));
    }
    return call;
  }

  private static OpCall split(Draw d) {
    Shape shape = ArrayDraws.shape(d, 1, 4);
    int axis = ArrayDraws.axis(d, shape.rank());
    int at = ArrayDraws.fromFront(axis, shape.rank());
    int parts = d.integer(1, 4);
    Shape whole = shape.withSize(at, shape.size(at) * parts);
    return OpCall.of()
        .constant(Tensor.scalar(axis))
        .input(d.tensor(whole))
        .attr("num_split", parts);
  }

  private static OpCall splitV(Draw d) {
    Shape shape = ArrayDraws.shape(d, 1, 4);
    int axis = ArrayDraws.axis(d, shape.rank());
    int parts = d.integer(1, 4);
    long[] sizes = new long[parts];
    long sum = 0;
    for (int i = 0; i < parts; i++) {
      sizes[i] = d.integer(0, 3);
      sum += sizes[i];
    }
    if (parts > 1 && d.flip()) {
      sizes[d.integer(0, parts - 1)] = -1;
    }
    Shape whole = shape.withSize(ArrayDraws.fromFront(axis, shape.rank()), sum);
    Tensor lengths = ArrayDraws.vector(d.oneOf(INT32, INT64), sizes);
    Shape input =
        d.size() == Draw.Size.EMPTY && whole.elementCount() != 0
            ? Shape.of(0).concatenate(whole)
            : whole;
    int shifted = input.rank() > whole.rank() && axis >= 0 ? axis + 1 : axis;
    return OpCall.of(d.tensor(input))
        .constant(lengths)
        .constant(Tensor.scalar(shifted))
        .attr("num_split", parts);
  }

  private static OpCall pack(Draw d) {
    Shape shape = d.shape(0, 3);
    OpCall call = OpCall.of().attr("axis", ArrayDraws.axis(d, shape.rank() + 1));
    int count = d.integer(1, 4);
    for (int i = 0; i < count; i++) {
      call.input(d.tensor(shape));
    }
    return call;
  }

  private static OpCall unpack(Draw d) {
    Shape part = d.shape(0, 3);
    int axis = ArrayDraws.axis(d, part.rank() + 1);
    int at = ArrayDraws.fromFront(axis, part.rank() + 1);
    int count = d.integer(1, 4);
    Shape whole =
        part.slice(0, at).concatenate(Shape.of(count)).concatenate(part.slice(at, part.rank()));
    return OpCall.of(d.tensor(whole)).attr("num", count).attr("axis", axis);
  }

  private static OpCall parallelConcat(Draw d) {
    int count = d.integer(1, 4);
    Shape rest = d.shape(0, 3);
    OpCall call =
        new OpCall()
            .attr("N", count)
            .attr("T", d.type())
            .attr("shape", Shape.of(count).concatenate(rest));
    for (int i = 0; i < count; i++) {
      call.constant(d.tensor(Shape.of(1).concatenate(rest)));
    }
    return call;
  }
}
