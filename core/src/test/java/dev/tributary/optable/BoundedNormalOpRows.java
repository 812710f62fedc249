package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
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

/** Draws between bounds, shuffled indices and random rounding, each from given seeds. */
final class BoundedNormalOpRows {
  private BoundedNormalOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("ParameterizedTruncatedNormal")
            .types(FLOAT, DOUBLE)
            .script(BoundedNormalOpRows::stateful),
        OpRow.of("StatelessParameterizedTruncatedNormal")
            .types(FLOAT, DOUBLE)
            .script(BoundedNormalOpRows::stateless),
        OpRow.of("RandomIndexShuffle").types(INT32, INT64).script(BoundedNormalOpRows::shuffle),
        OpRow.of("StochasticCastToInt").types(FLOAT, DOUBLE).script(BoundedNormalOpRows::cast));
  }

  private static Script stateful(Draw d) {
    Ops tf = Ops.create();
    Operation drawn =
        tf.scope()
            .operation("ParameterizedTruncatedNormal")
            .input(tf.constant(3, 4))
            .input(vector(tf, d, 0, 1, -1))
            .input(vector(tf, d, 1, 2, 0.5))
            .input(vector(tf, d, d.oneOf(-3.0, 2.0, 0.1), -1, -0.5))
            .input(vector(tf, d, 5, 1.5, -0.2))
            .attr("seed", d.integer(0, 99))
            .attr("seed2", d.integer(1, 99))
            .build();
    Operation shared =
        tf.scope()
            .operation("ParameterizedTruncatedNormal")
            .input(tf.constant(2, 70))
            .input(tf.constant(d.type(), 1))
            .input(tf.constant(d.type(), 2))
            .input(tf.constant(d.type(), d.oneOf(-4.0, 3.0)))
            .input(tf.constant(d.type(), 9))
            .attr("seed", d.integer(0, 99))
            .attr("seed2", d.integer(1, 99))
            .build();
    return Script.on(tf).fetch(drawn.output(0), shared.output(0)).fetch(drawn.output(0));
  }

  private static Script stateless(Draw d) {
    Ops tf = Ops.create();
    Operation drawn =
        tf.scope()
            .operation("StatelessParameterizedTruncatedNormal")
            .input(tf.constant(4, 3))
            .input(tf.constant(new long[] {d.integer(0, 99), d.integer(0, 99)}))
            .input(vector(tf, d, 0, 1, -1))
            .input(tf.constant(d.type(), 1))
            .input(vector(tf, d, d.oneOf(-3.0, 2.0, 0.1), -1, -0.5))
            .input(tf.constant(d.type(), 5))
            .build();
    return Script.on(tf).fetch(drawn.output(0));
  }

  private static Output vector(Ops tf, Draw d, double... values) {
    return tf.cast(tf.constant(values), d.type());
  }

  private static Script shuffle(Draw d) {
    Ops tf = Ops.create();
    DataType type = d.type();
    int most = d.oneOf(1, 5, 200, 70_000);
    Output indices = Constants.taking(tf, d.indices(type, Shape.of(6), 0, Math.min(6, most + 1)));
    Output seed = tf.constant(d.integer(0, 999), d.integer(-9, 999), d.integer(0, 999));
    Output greatest = tf.cast(tf.constant(most), type);
    Output seeds = Constants.taking(tf, d.indices(INT64, Shape.of(6, 3), 0, 1 << 30));
    Output all = tf.cast(tf.range(tf.constant(0), tf.constant(6), tf.constant(1)), type);
    return Script.on(tf)
        .fetch(tf.random.indexShuffle(indices, seed, greatest))
        .fetch(tf.random.indexShuffle(tf.array.at(indices, 0), seed, greatest))
        .fetch(tf.random.indexShuffle(indices, seeds, greatest))
        .expect(
            tf.sum(tf.random.indexShuffle(all, seed, tf.cast(tf.constant(5), type))),
            type == INT32 ? Tensor.scalar(15) : Tensor.scalar(15L));
  }

  /**
   * Stock's draws depend on the width of its vectors, so only what leaves no choice is compared.
   */
  private static Script cast(Draw d) {
    Ops tf = Ops.create();
    Output input =
        tf.cast(tf.constant(new double[] {0, -3, 7, 1e6, -1e6, Double.NaN, 126}), d.type());
    Operation seed =
        tf.scope()
            .operation("StatelessRandomGetKeyCounterAlg")
            .input(tf.constant(new long[] {1, 2}))
            .build();
    Output halves = tf.cast(tf.constant(new double[] {0.5, -2.5}), d.type());
    Output rounded = cast(tf, halves, seed, INT32);
    Output distance = tf.abs(tf.sub(tf.cast(rounded, d.type()), halves));
    return Script.on(tf)
        .fetch(cast(tf, input, seed, DataType.INT8))
        .fetch(cast(tf, input, seed, DataType.INT16))
        .fetch(cast(tf, input, seed, INT32))
        .fetch(distance);
  }

  private static Output cast(Ops tf, Output input, Operation seed, DataType type) {
    return tf.random.stochasticCast(input, seed.output(0), seed.output(1), seed.output(2), type);
  }
}
