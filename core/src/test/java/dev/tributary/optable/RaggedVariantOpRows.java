package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;

/** Ragged tensors in variants. No variant leaves its graph, so the scripts take them out again. */
final class RaggedVariantOpRows {
  private static final String BY_SCRIPT = "the script of its gradient differentiates it";

  private RaggedVariantOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("RaggedTensorToVariant").withoutGradientCheck(BY_SCRIPT),
        row("RaggedTensorFromVariant").withoutGradientCheck(BY_SCRIPT),
        OpRow.of("RaggedTensorToVariantGradient")
            .types(FLOAT, DOUBLE)
            .script(RaggedVariantOpRows::slopes));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, INT32, INT64, BOOL, STRING)
        .script(RaggedVariantOpRows::thereAndBack);
  }

  /** [[[v, v], []], [], [[v], [v, v, v]]] in one variant, by rows, and its values by rows. */
  private static Script thereAndBack(Draw d) {
    Ops tf = Ops.create();
    DataType type = d.oneOf(INT32, INT64);
    Output values = Constants.taking(tf, d.tensor(d.type(), Shape.of(6, 2), 0, 1));
    Output outer = splits(tf, type, 0, 2, 2, 4);
    Output inner = splits(tf, type, 0, 2, 2, 3, 6);
    Output whole = encode(tf, type, false, values, outer, inner);
    Output rows = encode(tf, type, true, values, outer, inner);
    Output pairs = encode(tf, type, true, values);
    List<Output> ofWhole = decode(tf, d.type(), type, whole, 2, 2);
    List<Output> ofRows = decode(tf, d.type(), type, rows, -1, 2);
    List<Output> ofPairs = decode(tf, d.type(), type, pairs, 0, 1);
    List<Output> ofMatrix = decode(tf, d.type(), type, tf.reshape(rows, 1, 3), 1, 3);
    List<Output> some = decode(tf, d.type(), type, tf.gather(rows, tf.constant(2, 0)), 1, 2);
    return Script.on(tf)
        .fetch(ofWhole.toArray(new Output[0]))
        .fetch(ofRows.toArray(new Output[0]))
        .fetch(ofPairs.toArray(new Output[0]))
        .fetch(ofMatrix.toArray(new Output[0]))
        .fetch(some.toArray(new Output[0]))
        .expect(ofRows.get(0), ArrayDraws.vector(type, 0, 2, 2, 4))
        .expect(ofRows.get(1), ArrayDraws.vector(type, 0, 2, 2, 3, 6))
        .expect(some.get(0), ArrayDraws.vector(type, 0, 2, 4))
        .expect(some.get(1), ArrayDraws.vector(type, 0, 1, 4, 6, 6));
  }

  /** Rows of values that count a different number of times. */
  private static Script slopes(Draw d) {
    Ops tf = Ops.create();
    Output values = Constants.taking(tf, d.tensor(Shape.of(4, 2)));
    Output rows = encode(tf, INT64, true, values, splits(tf, INT64, 0, 1, 1, 4));
    List<Output> picked = decode(tf, d.type(), INT64, rows, 0, 1);
    Output whole = encode(tf, INT64, false, values, splits(tf, INT64, 0, 1, 1, 4));
    List<Output> back = decode(tf, d.type(), INT64, whole, 1, 1);
    Output loss =
        tf.add(tf.sum(tf.square(picked.get(1)), 0, 1), tf.sum(tf.mul(back.get(1), values), 0, 1));
    Output slope = (Output) Gradients.of(tf, List.of(loss), List.of(values)).get(0);
    Output formula = tf.mul(values, tf.constant(d.type(), 4));
    return Script.on(tf)
        .fetch(slope)
        .expect(tf.sub(slope, formula), Tensor.zeros(d.type(), Shape.of(4, 2)));
  }

  private static Output splits(Ops tf, DataType type, long... splits) {
    return Constants.taking(tf, ArrayDraws.vector(type, splits));
  }

  private static Output encode(
      Ops tf, DataType type, boolean batched, Output values, Output... splits) {
    return tf.scope()
        .operation("RaggedTensorToVariant")
        .inputList(List.of(splits))
        .input(values)
        .attr("RAGGED_RANK", splits.length)
        .attr("Tsplits", type)
        .attr("batched_input", batched)
        .buildOutput();
  }

  private static List<Output> decode(
      Ops tf, DataType values, DataType splits, Output encoded, int inputRank, int outputRank) {
    return tf.scope()
        .operation("RaggedTensorFromVariant")
        .input(encoded)
        .attr("input_ragged_rank", inputRank)
        .attr("output_ragged_rank", outputRank)
        .attr("Tvalues", values)
        .attr("Tsplits", splits)
        .build()
        .outputs();
  }
}
