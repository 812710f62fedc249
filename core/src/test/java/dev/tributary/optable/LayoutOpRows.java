package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;
import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

final class LayoutOpRows {
  private LayoutOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Transpose")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f))
                        .constant(Tensor.of(1, 0)),
                Tensor.of(Shape.of(3, 2), 1f, 4f, 2f, 5f, 3f, 6f))
            .types(ALL)
            .draw(LayoutOpRows::transpose)
            .gradientOf(0),
        OpRow.of("ConjugateTranspose")
            .example(
                () ->
                    OpCall.of(Tensor.ofComplex(Shape.of(1, 2), 1f, 2f, 3f, -4f))
                        .constant(Tensor.of(1, 0)),
                Tensor.ofComplex(Shape.of(2, 1), 1f, -2f, 3f, 4f))
            .types(ALL)
            .without(Draw.Size.SCALAR, "stock's kernel of oneDNN ends the process")
            .draw(LayoutOpRows::transpose)
            .gradientOf(0),
        OpRow.of("Tile")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f)).constant(Tensor.of(2, 2)),
                Tensor.of(Shape.of(2, 4), 1f, 2f, 1f, 2f, 1f, 2f, 1f, 2f))
            .types(ALL)
            .draw(LayoutOpRows::tile)
            .gradientOf(0),
        OpRow.of("BroadcastTo")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 1), 1f, 2f)).constant(Tensor.of(2, 3)),
                Tensor.of(Shape.of(2, 3), 1f, 1f, 1f, 2f, 2f, 2f))
            .types(ALL)
            .draw(LayoutOpRows::broadcastTo)
            .gradientOf(0),
        OpRow.of("ReverseV2")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)).constant(Tensor.of(-1)),
                Tensor.of(Shape.of(2, 2), 2f, 1f, 4f, 3f))
            .types(ALL)
            .draw(LayoutOpRows::reverse)
            .gradientOf(0),
        OpRow.of("Reverse")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f))
                        .constant(Tensor.of(false, true)),
                Tensor.of(Shape.of(2, 2), 2f, 1f, 4f, 3f))
            .types(ALL)
            .draw(LayoutOpRows::reverseMarked)
            .gradientOf(0),
        OpRow.of("TileGrad")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 4), 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f))
                        .constant(Tensor.of(2, 2)),
                Tensor.of(Shape.of(1, 2), 16f, 20f))
            .types(FLOAT, DOUBLE, INT32, INT64, INT16)
            .draw(LayoutOpRows::tileGrad)
            .withoutStock("stock's kernel asks for an attribute that its op does not have"),
        OpRow.of("Pad")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f)).constant(Tensor.of(Shape.of(1, 2), 1, 2)),
                Tensor.of(0f, 1f, 2f, 0f, 0f))
            .types(ALL)
            .draw(d -> pad(d, d.shape(0, 4), 3))
            .gradientOf(0),
        OpRow.of("PadV2")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f))
                        .constant(Tensor.of(Shape.of(1, 2), 1, 2))
                        .input(Tensor.scalar(7f)),
                Tensor.of(7f, 1f, 2f, 7f, 7f))
            .types(ALL)
            .draw(d -> pad(d, d.shape(0, 4), 3).input(d.tensor(Shape.scalar())))
            .gradientOf(0),
        OpRow.of("MirrorPad")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f))
                        .constant(Tensor.of(Shape.of(1, 2), 2, 1))
                        .attr("mode", "REFLECT"),
                Tensor.of(3f, 2f, 1f, 2f, 3f, 2f))
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f))
                        .constant(Tensor.of(Shape.of(1, 2), 2, 1))
                        .attr("mode", "SYMMETRIC"),
                Tensor.of(2f, 1f, 1f, 2f, 3f, 3f))
            .types(ALL)
            .without(Draw.Size.EMPTY, "what is empty mirrors nothing")
            .draw(LayoutOpRows::mirrorPad)
            .gradientOf(0),
        OpRow.of("MirrorPadGrad")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f, 4f, 5f))
                        .constant(Tensor.of(Shape.of(1, 2), 2, 0))
                        .attr("mode", "REFLECT"),
                Tensor.of(3f, 6f, 6f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16)
            .types(ArrayDraws.COMPLEX)
            .without(Draw.Size.EMPTY, "what is empty mirrors nothing")
            .draw(LayoutOpRows::mirrorPadGrad)
            .gradientOf(0));
  }

  private static OpCall transpose(Draw d) {
    Shape shape = d.shape(0, 5);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < shape.rank(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, d.random());
    long[] permutation = order.stream().mapToLong(Integer::longValue).toArray();
    return OpCall.of(d.tensor(shape))
        .constant(ArrayDraws.vector(ArrayDraws.indexType(d), permutation));
  }

  private static OpCall tile(Draw d) {
    Shape shape = d.shape(0, 4);
    long[] multiples = new long[shape.rank()];
    for (int i = 0; i < multiples.length; i++) {
      multiples[i] = d.integer(d.size() == Draw.Size.EMPTY ? 0 : 1, 3);
    }
    return OpCall.of(d.tensor(shape))
        .constant(ArrayDraws.vector(ArrayDraws.indexType(d), multiples));
  }

  private static OpCall broadcastTo(Draw d) {
    Shape shape = d.shape(0, 3);
    Shape wide = shape;
    Shape input = shape;
    for (int i = 0; i < shape.rank(); i++) {
      input = d.flip() && shape.size(i) > 0 ? input.withSize(i, 1) : input;
    }
    if (d.flip()) {
      wide = Shape.of(d.integer(1, 3)).concatenate(shape);
    }
    return OpCall.of(d.tensor(input))
        .constant(ArrayDraws.vector(ArrayDraws.indexType(d), wide.toArray()));
  }

  private static OpCall reverse(Draw d) {
    Shape shape = d.shape(0, 4);
    List<Long> axes = new ArrayList<>();
    for (int i = 0; i < shape.rank(); i++) {
      if (d.flip()) {
        axes.add((long) (d.flip() ? i : i - shape.rank()));
      }
    }
    long[] given = axes.stream().mapToLong(Long::longValue).toArray();
    return OpCall.of(d.tensor(shape)).constant(ArrayDraws.vector(ArrayDraws.indexType(d), given));
  }

  private static OpCall reverseMarked(Draw d) {
    // Stock refuses a first size of 0, though not others.
    Shape shape = d.size() == Draw.Size.EMPTY ? Shape.of(d.integer(1, 3), 0, 2) : d.shape(0, 4);
    boolean[] marks = new boolean[shape.rank()];
    for (int i = 0; i < marks.length; i++) {
      marks[i] = d.flip();
    }
    return OpCall.of(d.tensor(shape)).constant(Tensor.of(marks));
  }

  private static OpCall tileGrad(Draw d) {
    Shape tile = d.shape(0, 4);
    Shape shape = tile;
    int[] multiples = new int[tile.rank()];
    for (int i = 0; i < multiples.length; i++) {
      multiples[i] = d.integer(1, 3);
      shape = shape.withSize(i, multiples[i] * tile.size(i));
    }
    return OpCall.of(d.tensor(shape)).constant(Tensor.of(multiples));
  }

  private static OpCall pad(Draw d, Shape shape, int most) {
    long[] paddings = new long[2 * shape.rank()];
    for (int i = 0; i < paddings.length; i++) {
      paddings[i] = d.integer(0, most);
    }
    return OpCall.of(d.tensor(shape)).constant(paddings(d, paddings));
  }

  private static OpCall mirrorPad(Draw d) {
    Shape shape = d.shape(0, 3);
    int distance = d.integer(0, 1);
    long[] paddings = mirrored(d, shape, distance);
    return OpCall.of(d.tensor(shape))
        .constant(paddings(d, paddings))
        .attr("mode", distance == 1 ? "REFLECT" : "SYMMETRIC");
  }

  private static OpCall mirrorPadGrad(Draw d) {
    Shape shape = d.shape(0, 3);
    int distance = d.integer(0, 1);
    long[] paddings = mirrored(d, shape, distance);
    Shape padded = shape;
    for (int i = 0; i < shape.rank(); i++) {
      padded = padded.withSize(i, shape.size(i) + paddings[2 * i] + paddings[2 * i + 1]);
    }
    return OpCall.of(d.tensor(padded))
        .constant(paddings(d, paddings))
        .attr("mode", distance == 1 ? "REFLECT" : "SYMMETRIC");
  }

  private static long[] mirrored(Draw d, Shape shape, int distance) {
    long[] paddings = new long[2 * shape.rank()];
    for (int i = 0; i < paddings.length; i++) {
      paddings[i] = d.integer(0, (int) shape.size(i / 2) - distance);
    }
    return paddings;
  }

  private static Tensor paddings(Draw d, long[] paddings) {
    return ArrayDraws.integers(ArrayDraws.indexType(d), Shape.of(paddings.length / 2, 2), paddings);
  }
}
