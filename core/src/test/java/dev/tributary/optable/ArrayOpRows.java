package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.Tensor;
import java.util.List;

final class ArrayOpRows {
  private ArrayOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Identity")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))))
            .gradientOf(0));
  }
}
