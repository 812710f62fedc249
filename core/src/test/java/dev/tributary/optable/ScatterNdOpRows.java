package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;
import static dev.tributary.optable.Variables.Kind.REFERENCE;
import static dev.tributary.optable.Variables.Kind.RESOURCE;
import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;

/** Changes of parts of tensors and variables. */
final class ScatterNdOpRows {
  private static final DataType[] NUMBERS = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16
  };

  private ScatterNdOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        tensor("TensorScatterUpdate", ALL, Tensor.of(1f, 8f, 9f))
            .draw(d -> tensor(d, false))
            .gradientOf(0, 2),
        tensor("TensorScatterAdd", NUMBERS, Tensor.of(1f, 10f, 12f))
            .types(ArrayDraws.COMPLEX)
            .draw(d -> tensor(d, true))
            .gradientOf(0, 2),
        tensor("TensorScatterSub", NUMBERS, Tensor.of(1f, -6f, -6f))
            .types(ArrayDraws.COMPLEX)
            .draw(d -> tensor(d, true))
            .gradientOf(0, 2),
        tensor("TensorScatterMin", NUMBERS, Tensor.of(1f, 2f, 3f))
            .draw(d -> tensor(d, true))
            .gradientOf(0, 2),
        tensor("TensorScatterMax", NUMBERS, Tensor.of(1f, 8f, 9f))
            .draw(d -> tensor(d, true))
            .gradientOf(0, 2),
        tensor("ScatterNdNonAliasingAdd", NUMBERS, Tensor.of(1f, 10f, 12f))
            .types(ArrayDraws.COMPLEX)
            .draw(d -> tensor(d, true))
            .gradientOf(0, 2),
        OpRow.of("TensorStridedSliceUpdate")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(1f, 2f, 3f, 4f),
                        Tensor.of(0),
                        Tensor.of(4),
                        Tensor.of(2),
                        Tensor.of(8f, 9f)),
                Tensor.of(8f, 2f, 9f, 4f))
            .types(ALL)
            .without(Draw.Size.SCALAR, "a slice has an entry")
            .draw(ScatterNdOpRows::sliceUpdate)
            .gradientOf(0, 4),
        variable("ScatterNdUpdate", REFERENCE).types(ALL),
        variable("ScatterNdAdd", REFERENCE).types(NUMBERS).types(ArrayDraws.COMPLEX),
        variable("ScatterNdSub", REFERENCE).types(NUMBERS).types(ArrayDraws.COMPLEX),
        variable("ScatterNdMin", REFERENCE).types(NUMBERS),
        variable("ScatterNdMax", REFERENCE).types(NUMBERS),
        variable("ResourceScatterNdUpdate", RESOURCE).types(ALL),
        variable("ResourceScatterNdAdd", RESOURCE).types(NUMBERS).types(ArrayDraws.COMPLEX),
        variable("ResourceScatterNdSub", RESOURCE).types(NUMBERS).types(ArrayDraws.COMPLEX),
        variable("ResourceScatterNdMin", RESOURCE).types(NUMBERS),
        variable("ResourceScatterNdMax", RESOURCE).types(NUMBERS),
        OpRow.of("StridedSliceAssign")
            .types(ALL)
            .script(d -> assignSlice(d, "StridedSliceAssign", REFERENCE)),
        OpRow.of("ResourceStridedSliceAssign")
            .types(ALL)
            .script(d -> assignSlice(d, "ResourceStridedSliceAssign", RESOURCE)),
        OpRow.of("ResourceGatherNd")
            .types(ALL)
            .script(ScatterNdOpRows::gather)
            .withoutGradientCheck("VariableGradientsTest"));
  }

  private static OpRow tensor(String op, DataType[] types, Tensor result) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(
                    Tensor.of(1f, 2f, 3f), Tensor.of(Shape.of(2, 1), 2, 1), Tensor.of(9f, 8f)),
            result)
        .types(types)
        .without(Draw.Size.SCALAR, "indices have at least one dimension");
  }

  /**
   * Index vectors are different where an update replaces a row: a gradient has no order of them.
   */
  private static OpCall tensor(Draw d, boolean repeated) {
    Shape shape = full(d);
    int depth = repeated ? d.integer(1, shape.rank()) : 1;
    Shape rows =
        d.size() == Draw.Size.EMPTY
            ? Shape.of(0)
            : repeated ? d.shape(1, 2) : Shape.of(d.integer(1, (int) shape.size(0)));
    DataType type = ArrayDraws.indexType(d);
    Shape updates = rows.concatenate(shape.slice(depth, shape.rank()));
    Tensor indices =
        repeated ? IndexOpRows.ndIndices(d, type, shape, rows, depth) : rising(type, rows);
    return OpCall.of(d.tensor(shape), indices, d.tensor(updates));
  }

  private static Tensor rising(DataType type, Shape rows) {
    long[] values = new long[(int) rows.elementCount()];
    java.util.Arrays.setAll(values, i -> values.length - 1 - i);
    return ArrayDraws.integers(type, rows.concatenate(Shape.of(1)), values);
  }

  private static Shape full(Draw d) {
    return new Draw(d.integer(0, 99), d.type(), Draw.Size.ORDINARY).shape(1, 4);
  }

  private static OpCall sliceUpdate(Draw d) {
    Shape shape = Shape.of(d.integer(2, 5), d.integer(1, 3));
    int begin = d.integer(0, 1);
    int end = d.size() == Draw.Size.EMPTY ? begin : (int) shape.size(0);
    int stride = d.integer(1, 2);
    int count = (end - begin + stride - 1) / stride;
    return OpCall.of(d.tensor(shape))
        .constant(Tensor.of(begin))
        .constant(Tensor.of(end))
        .constant(Tensor.of(stride))
        .input(d.tensor(Shape.of(count, shape.size(1))));
  }

  /** Rows are named several times, so that the order of updates shows. */
  private static OpRow variable(String op, Variables.Kind kind) {
    return OpRow.of(op)
        .script(
            d -> {
              Shape shape = full(d);
              int depth = d.integer(1, shape.rank());
              Shape rows = d.oneOf(Shape.of(5), Shape.of(2, 3));
              Variables variables = new Variables(kind);
              Output variable = variables.add(d.tensor(shape));
              DataType type = d.oneOf(INT32, INT64);
              Operation scatter =
                  variables
                      .tf
                      .scope()
                      .operation(op)
                      .input(variable)
                      .input(
                          Constants.taking(
                              variables.tf, IndexOpRows.ndIndices(d, type, shape, rows, depth)))
                      .input(
                          Constants.taking(
                              variables.tf,
                              d.tensor(rows.concatenate(shape.slice(depth, shape.rank())))))
                      .build();
              return variables.updated(scatter, 2);
            });
  }

  private static Script assignSlice(Draw d, String op, Variables.Kind kind) {
    Shape shape = Shape.of(d.integer(3, 5), 2);
    Variables variables = new Variables(kind);
    Output variable = variables.add(d.tensor(shape));
    Operation assign =
        variables
            .tf
            .scope()
            .operation(op)
            .input(variable)
            .input(variables.tf.constant(2, 0))
            .input(variables.tf.constant(0, 0))
            .input(variables.tf.constant(-1, 1))
            .input(Constants.taking(variables.tf, d.tensor(Shape.of(2))))
            .attr("shrink_axis_mask", 2)
            .build();
    return variables.updated(assign, 2);
  }

  private static Script gather(Draw d) {
    Shape shape = full(d);
    int depth = d.integer(1, shape.rank());
    DataType type = d.oneOf(INT32, INT64);
    Variables variables = new Variables(RESOURCE);
    Output handle = variables.add(d.tensor(shape));
    Output gathered =
        variables.tf.array.resourceGatherNd(
            handle,
            Constants.taking(
                variables.tf, IndexOpRows.ndIndices(d, type, shape, Shape.of(4), depth)),
            d.type());
    return variables.start().fetch(gathered);
  }
}
