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
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class ArrayOpRows {
  private ArrayOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.addAll(sources());
    rows.addAll(passing());
    rows.addAll(shapes());
    return rows;
  }

  private static List<OpRow> sources() {
    return List.of(
        OpRow.of("Const")
            .example(() -> constant(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(ALL)
            .draw(d -> constant(d.tensor(d.shape(0, 4)))),
        OpRow.of("Placeholder").script(ArrayOpRows::placeholder),
        OpRow.of("PlaceholderWithDefault")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f)).attr("shape", Shape.of(2)), Tensor.of(1f, 2f))
            .types(ALL)
            .draw(
                d -> {
                  Shape shape = d.shape(0, 4);
                  return OpCall.of(d.tensor(shape)).attr("shape", shape);
                })
            .gradientOf(0),
        OpRow.of("ZerosLike")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(0f, 0f))
            .types(ALL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4)))),
        OpRow.of("OnesLike")
            .example(() -> OpCall.of(Tensor.of(5f, 2f)), Tensor.of(1f, 1f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, BOOL, HALF, BFLOAT16)
            .types(ArrayDraws.COMPLEX)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4)))),
        OpRow.of("Fill")
            .example(
                () -> OpCall.of().constant(Tensor.of(2, 2)).input(Tensor.scalar(3f)),
                Tensor.of(Shape.of(2, 2), 3f, 3f, 3f, 3f))
            .types(ALL)
            .draw(
                d -> {
                  Tensor dims = ArrayDraws.vector(ArrayDraws.indexType(d), d.shape(0, 4).toArray());
                  return OpCall.of().constant(dims).input(d.tensor(Shape.scalar()));
                })
            .gradientOf(1));
  }

  private static List<OpRow> passing() {
    return List.of(
        OpRow.of("Identity")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(ALL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))))
            .gradientOf(0),
        OpRow.of("IdentityN")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f), Tensor.scalar(3)).attr("T", List.of(FLOAT, INT32)),
                Tensor.of(1f, 2f),
                Tensor.scalar(3))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .types(ArrayDraws.COMPLEX)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(0, 3)), d.tensor(d.shape(0, 3)))
                        .attr("T", List.of(d.type(), d.type())))
            .gradientOf(0, 1),
        OpRow.of("StopGradient")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(ALL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4)))),
        OpRow.of("PreventGradient")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(ALL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))).attr("message", "not this way"))
            .withoutGradientCheck("asking for it fails, as ArrayErrorsTest shows"),
        OpRow.of("CheckNumerics")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)).attr("message", "x"), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16)
            .draw(ArrayOpRows::checkNumerics)
            .gradientOf(0));
  }

  private static List<OpRow> shapes() {
    return List.of(
        OpRow.of("Shape")
            .example(() -> OpCall.of(Tensor.of(Shape.of(2, 1), 1f, 2f)), Tensor.of(2, 1))
            .types(ALL)
            .draw(
                d -> OpCall.of(d.tensor(d.shape(0, 4))).attr("out_type", ArrayDraws.indexType(d))),
        OpRow.of("ShapeN")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f), Tensor.scalar(1f)),
                Tensor.of(2),
                Tensor.of(new int[0]))
            .types(ALL)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(0, 4)), d.tensor(d.shape(0, 4)))
                        .attr("out_type", ArrayDraws.indexType(d))),
        OpRow.of("Size")
            .example(() -> OpCall.of(Tensor.of(Shape.of(2, 1), 1f, 2f)), Tensor.scalar(2))
            .types(ALL)
            .draw(
                d -> OpCall.of(d.tensor(d.shape(0, 4))).attr("out_type", ArrayDraws.indexType(d))),
        OpRow.of("Rank")
            .example(() -> OpCall.of(Tensor.of(Shape.of(2, 1), 1f, 2f)), Tensor.scalar(2))
            .types(ALL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4)))),
        OpRow.of("Reshape")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f, 3f, 4f)).constant(Tensor.of(2, -1)),
                Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f))
            .types(ALL)
            .draw(ArrayOpRows::reshape)
            .gradientOf(0),
        OpRow.of("ExpandDims")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f)).constant(Tensor.scalar(-1)),
                Tensor.of(Shape.of(2, 1), 1f, 2f))
            .types(ALL)
            .draw(ArrayOpRows::expandDims)
            .gradientOf(0),
        OpRow.of("Squeeze")
            .example(() -> OpCall.of(Tensor.of(Shape.of(1, 2, 1), 1f, 2f)), Tensor.of(1f, 2f))
            .types(ALL)
            .draw(ArrayOpRows::squeeze)
            .gradientOf(0),
        OpRow.of("Bitcast")
            .example(
                () -> OpCall.of(Tensor.of(1f)).attr("type", UINT8),
                Tensor.of(UINT8, Shape.of(1, 4), (byte) 0, (byte) 0, (byte) -128, (byte) 63))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16)
            .types(ArrayDraws.COMPLEX)
            .draw(ArrayOpRows::bitcast),
        OpRow.of("BroadcastArgs")
            .example(() -> OpCall.of(Tensor.of(2, 1), Tensor.of(4, 1, 3)), Tensor.of(4, 2, 3))
            .types(INT32, INT64)
            .without(Draw.Size.SCALAR, "shapes are vectors")
            .draw(ArrayOpRows::broadcast),
        OpRow.of("BroadcastGradientArgs")
            .example(
                () -> OpCall.of(Tensor.of(2, 1), Tensor.of(4, 1, 3)), Tensor.of(0, 2), Tensor.of(1))
            .types(INT32, INT64)
            .without(Draw.Size.SCALAR, "shapes are vectors")
            .draw(ArrayOpRows::broadcast)
            .shapeDependsOnValues());
  }

  private static OpCall constant(Tensor value) {
    return OpCall.of().attr("value", value).attr("dtype", value.type());
  }

  private static Script placeholder(Draw d) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(d.type(), Shape.of(-1, 2));
    Tensor value = d.tensor(Shape.of(3, 2));
    return Script.on(tf).step(Map.of(x, value), List.of(tf.identity(x)), List.of(), List.of(value));
  }

  private static OpCall checkNumerics(Draw d) {
    return OpCall.of(d.tensor(d.shape(0, 4))).attr("message", "found");
  }

  private static OpCall reshape(Draw d) {
    Shape shape = d.shape(0, 4);
    long[] sizes = shape.toArray();
    for (int i = sizes.length - 1; i > 0; i--) {
      int j = d.integer(0, i);
      long size = sizes[i];
      sizes[i] = sizes[j];
      sizes[j] = size;
    }
    if (sizes.length > 0 && shape.elementCount() > 0 && d.flip()) {
      sizes[d.integer(0, sizes.length - 1)] = -1;
    }
    return OpCall.of(d.tensor(shape)).constant(ArrayDraws.vector(ArrayDraws.indexType(d), sizes));
  }

  private static OpCall expandDims(Draw d) {
    Shape shape = d.shape(0, 4);
    int axis = ArrayDraws.axis(d, shape.rank() + 1);
    return OpCall.of(d.tensor(shape)).constant(ArrayDraws.scalar(ArrayDraws.indexType(d), axis));
  }

  private static OpCall squeeze(Draw d) {
    Shape shape = d.shape(0, 3);
    int axis = ArrayDraws.axis(d, shape.rank() + 1);
    int at = ArrayDraws.fromFront(axis, shape.rank() + 1);
    Shape wide =
        shape.slice(0, at).concatenate(Shape.of(1)).concatenate(shape.slice(at, shape.rank()));
    OpCall call = OpCall.of(d.tensor(wide));
    return d.flip() ? call : call.attr("squeeze_dims", new long[] {axis});
  }

  private static OpCall bitcast(Draw d) {
    DataType to = d.oneOf(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16);
    int parts = to.size() / d.type().size();
    Shape shape = parts > 1 ? d.shape(0, 3).concatenate(Shape.of(parts)) : d.shape(0, 3);
    return OpCall.of(d.tensor(shape)).attr("type", to);
  }

  private static OpCall broadcast(Draw d) {
    int rank = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4);
    long[] left = new long[rank];
    long[] right = new long[d.integer(0, 4)];
    for (int i = 1; i <= Math.max(left.length, right.length); i++) {
      int size = d.integer(1, 4);
      if (i <= left.length) {
        left[left.length - i] = d.integer(0, 2) == 0 ? 1 : size;
      }
      if (i <= right.length) {
        right[right.length - i] = d.integer(0, 2) == 0 ? 1 : size;
      }
    }
    return OpCall.of(ArrayDraws.vector(d.type(), left), ArrayDraws.vector(d.type(), right));
  }
}
