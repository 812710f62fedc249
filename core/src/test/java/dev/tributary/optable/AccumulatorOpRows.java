package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;

final class AccumulatorOpRows {
  private AccumulatorOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String prefix : List.of("", "Resource")) {
      for (String op :
          List.of(
              "ConditionalAccumulator",
              "AccumulatorApplyGradient",
              "AccumulatorTakeGradient",
              "AccumulatorNumAccumulated",
              "AccumulatorSetGlobalStep")) {
        rows.add(OpRow.of(prefix + op).types(FLOAT, DOUBLE).script(d -> dense(d, prefix)));
      }
    }
    rows.add(sparse("SparseConditionalAccumulator", "MEAN"));
    rows.add(sparse("SparseAccumulatorApplyGradient", "SUM"));
    rows.add(sparse("SparseAccumulatorTakeGradient", "MEAN"));
    return rows;
  }

  private static OpRow sparse(String op, String reduction) {
    return OpRow.of(op).types(FLOAT, DOUBLE).script(d -> sparse(d, reduction));
  }

  /** Fresh gradients count, stale ones do not. */
  private static Script dense(Draw d, String prefix) {
    Ops tf = Ops.create();
    String reduction = d.integer(0, 1) == 0 ? "MEAN" : "SUM";
    Output handle =
        tf.scope()
            .operation(prefix + "ConditionalAccumulator")
            .attr("dtype", d.type())
            .attr("shape", Shape.of(-1, 3))
            .attr("reduction_type", reduction)
            .buildOutput();
    Output count =
        tf.scope().operation(prefix + "AccumulatorNumAccumulated").input(handle).buildOutput();
    Output take =
        tf.scope()
            .operation(prefix + "AccumulatorTakeGradient")
            .input(handle)
            .input(tf.constant(2))
            .attr("dtype", d.type())
            .buildOutput();
    Operation setStep =
        tf.scope()
            .operation(prefix + "AccumulatorSetGlobalStep")
            .input(handle)
            .input(tf.constant(5L))
            .build();
    String apply = prefix + "AccumulatorApplyGradient";
    return Script.on(tf)
        .run(apply(tf, apply, handle, d, 0))
        .run(apply(tf, apply, handle, d, 3))
        .run(apply(tf, apply, handle, d, 0))
        .expect(count, Tensor.scalar(3))
        .fetch(take)
        .run(apply(tf, apply, handle, d, 0))
        .expect(count, Tensor.scalar(0))
        .run(setStep)
        .run(apply(tf, apply, handle, d, 4))
        .run(apply(tf, apply, handle, d, 5))
        .run(apply(tf, apply, handle, d, 6))
        .expect(count, Tensor.scalar(2))
        .fetch(take);
  }

  private static Operation apply(Ops tf, String op, Output handle, Draw d, long step) {
    return tf.scope()
        .operation(op)
        .input(handle)
        .input(tf.constant(step))
        .input(Constants.taking(tf, d.tensor(Shape.of(2, 3))))
        .build();
  }

  /** Rows are merged by index, and each is divided by its own count. */
  private static Script sparse(Draw d, String reduction) {
    Ops tf = Ops.create();
    Output handle =
        tf.scope()
            .operation("SparseConditionalAccumulator")
            .attr("dtype", d.type())
            .attr("shape", Shape.of(10, 2))
            .attr("reduction_type", reduction)
            .buildOutput();
    Operation take =
        tf.scope()
            .operation("SparseAccumulatorTakeGradient")
            .input(handle)
            .input(tf.constant(2))
            .attr("dtype", d.type())
            .build();
    Output[] taken = take.outputs().toArray(new Output[0]);
    return Script.on(tf)
        .run(applySlices(tf, handle, d, 0, 1, 4, 7))
        .run(applySlices(tf, handle, d, 0, 0, 4, 9))
        .run(applySlices(tf, handle, d, 0, 4))
        .fetch(taken)
        .run(applySlices(tf, handle, d, 0, 8))
        .run(applySlices(tf, handle, d, 1, 2, 3))
        .run(applySlices(tf, handle, d, 1, 3, 5))
        .fetch(taken);
  }

  private static Operation applySlices(Ops tf, Output handle, Draw d, long step, long... indices) {
    boolean known = indices.length > 1;
    return tf.scope()
        .operation("SparseAccumulatorApplyGradient")
        .input(handle)
        .input(tf.constant(step))
        .input(tf.constant(indices))
        .input(Constants.taking(tf, d.tensor(Shape.of(indices.length, 2))))
        .input(Constants.taking(tf, known ? Tensor.of(10L, 2L) : Tensor.of(new long[0])))
        .attr("has_known_shape", known)
        .build();
  }
}
