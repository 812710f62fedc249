package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;

final class ArrayOpRows {
  private ArrayOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Const")
            .example(() -> constant(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .draw(d -> constant(d.tensor(d.shape(0, 4)))),
        OpRow.of("Placeholder").script(ArrayOpRows::placeholder),
        OpRow.of("Identity")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))))
            .gradientOf(0));
  }

  private static OpCall constant(Tensor value) {
    return OpCall.of().attr("value", value).attr("dtype", value.type());
  }

  private static Script placeholder(Draw d) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(d.type(), Shape.of(-1, 2));
    Tensor value = d.tensor(Shape.of(3, 2));
    return Script.on(tf).step(Map.of(x, value), List.of(tf.array.identity(x)), List.of(), List.of(value));
  }
}
