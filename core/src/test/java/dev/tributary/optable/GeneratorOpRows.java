package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;
import java.util.function.BiFunction;

/** Generators whose state is a variable must equal stock bit for bit, and leave the same state. */
final class GeneratorOpRows {
  private static final long[] STATE = {-3, 7, 42};

  private GeneratorOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("RngReadAndSkip")
            .types(INT64)
            .script(
                d ->
                    script(
                        (tf, state) ->
                            tf.scope()
                                .operation("RngReadAndSkip")
                                .input(state)
                                .input(tf.constant(1))
                                .input(Constants.taking(tf, unsigned(d.integer(0, 1000))))
                                .buildOutput())),
        OpRow.of("RngSkip")
            .types(INT64)
            .script(
                d -> {
                  Ops tf = Ops.create();
                  Output state = tf.state.varHandleOp(INT64, Shape.of(3), "rng");
                  Operation set = tf.state.assignVariableOp(state, tf.constant(STATE));
                  Operation skip =
                      tf.scope()
                          .operation("RngSkip")
                          .input(state)
                          .input(tf.constant(1L))
                          .input(tf.constant((long) d.integer(0, 1000)))
                          .build();
                  Output read = tf.state.readVariableOp(state, INT64);
                  return Script.on(tf).run(set).run(skip).fetch(read).run(skip).fetch(read);
                }),
        real("StatefulUniform"),
        real("StatefulStandardNormalV2"),
        real("StatefulTruncatedNormal"),
        OpRow.of("StatefulUniformInt")
            .types(INT32, INT64)
            .script(
                d ->
                    script(
                        (tf, state) ->
                            tf.scope()
                                .operation("StatefulUniformInt")
                                .input(state)
                                .input(tf.constant(1L))
                                .input(tf.constant(3, d.integer(1, 5)))
                                .input(tf.constant(d.type(), -7))
                                .input(tf.constant(d.type(), 90))
                                .buildOutput())),
        OpRow.of("StatefulUniformFullInt")
            .types(INT32, INT64, DataType.UINT32, DataType.UINT64)
            .script(d -> script((tf, state) -> draws("StatefulUniformFullInt", tf, state, d))),
        OpRow.of("StatefulStandardNormal")
            .types(FLOAT, DOUBLE)
            .withoutStock("stock takes it only in graphs of 2019 and earlier")
            .script(
                d -> {
                  Ops tf = Ops.create();
                  Output state = tf.state.varHandleOp(INT64, Shape.of(4), "rng");
                  Operation set = tf.state.assignVariableOp(state, tf.constant(1L, -3, 7, 42));
                  Output numbers =
                      tf.scope()
                          .operation("StatefulStandardNormal")
                          .input(state)
                          .input(tf.constant(3, 2))
                          .attr("dtype", d.type())
                          .buildOutput();
                  return Script.on(tf).run(set).fetch(numbers);
                }),
        OpRow.of("NonDeterministicInts")
            .types(INT32, INT64)
            .withoutStock("the numbers are different in each run")
            .script(
                d -> {
                  Ops tf = Ops.create();
                  Output numbers =
                      tf.scope()
                          .operation("NonDeterministicInts")
                          .input(tf.constant(3, 2))
                          .attr("dtype", d.type())
                          .buildOutput();
                  return Script.on(tf).expect(tf.shape(numbers), Tensor.of(3, 2));
                }));
  }

  private static OpRow real(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, HALF, BFLOAT16)
        .script(d -> script((tf, state) -> draws(op, tf, state, d)));
  }

  private static Output draws(String op, Ops tf, Output state, Draw d) {
    return tf.scope()
        .operation(op)
        .input(state)
        .input(tf.constant(1L))
        .input(d.flip() ? tf.constant(3, d.integer(1, 5)) : tf.constant(4L))
        .attr("dtype", d.type())
        .buildOutput();
  }

  /** Sets the state, and draws and reads the state twice. */
  static Script script(BiFunction<Ops, Output, Output> make) {
    Ops tf = Ops.create();
    Output state = tf.state.varHandleOp(INT64, Shape.of(3), "rng");
    Operation set = tf.state.assignVariableOp(state, tf.constant(STATE));
    // Stock's binomial numbers lose what they change where the variable shares a constant's memory.
    Operation own = tf.state.assignAddVariableOp(state, tf.constant(0L, 0, 0));
    Output numbers = make.apply(tf, state);
    Output read = tf.state.readVariableOp(state, INT64);
    return Script.on(tf).run(set).run(own).fetch(numbers).fetch(read).fetch(numbers).fetch(read);
  }

  private static Tensor unsigned(long value) {
    try (Tensor signed = Tensor.scalar(value)) {
      return Tensor.of(DataType.UINT64, Shape.scalar(), signed.toBytes());
    }
  }
}
