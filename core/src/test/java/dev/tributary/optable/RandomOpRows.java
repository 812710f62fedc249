package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;
import java.util.function.BiFunction;

/** Random ops must equal stock bit for bit, in the second and third run of a session too. */
final class RandomOpRows {
  private static final Tensor KEY = unsigned(Philox.ofStatelessSeed(1, 2).key());

  private static final Tensor COUNTER = unsigned(0, Philox.ofStatelessSeed(1, 2).counterHigh());

  private RandomOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        stateful("RandomUniform", (tf, d) -> ofShape("RandomUniform", tf, d))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        stateful("RandomStandardNormal", (tf, d) -> ofShape("RandomStandardNormal", tf, d))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        stateful("TruncatedNormal", (tf, d) -> ofShape("TruncatedNormal", tf, d))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        stateful(
                "RandomUniformInt",
                (tf, d) ->
                    tf.scope()
                        .operation("RandomUniformInt")
                        .input(shape(tf, d))
                        .input(Constants.taking(tf, bound(d.type(), -d.integer(0, 100))))
                        .input(Constants.taking(tf, bound(d.type(), d.integer(1, 100)))))
            .types(INT32, INT64),
        stateful(
                "RandomShuffle",
                (tf, d) ->
                    tf.scope()
                        .operation("RandomShuffle")
                        .input(
                            Constants.taking(
                                tf,
                                d.tensor(
                                    FLOAT, Shape.of(d.integer(0, 9), d.integer(1, 3)), -5, 5))))
            .types(FLOAT),
        stateful(
                "Multinomial",
                (tf, d) ->
                    tf.scope()
                        .operation("Multinomial")
                        .input(
                            Constants.taking(
                                tf, d.tensor(Shape.of(d.integer(1, 3), d.integer(1, 6)))))
                        .input(tf.constant(d.integer(0, 9)))
                        .attr("output_dtype", d.oneOf(INT32, INT64)))
            .types(FLOAT, DOUBLE),
        stateless("StatelessRandomUniform", Tensor.of(0.8440604209899902f, 0.19204533100128174f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        stateless("StatelessRandomNormal", Tensor.of(0.544110119342804f, 0.20738030970096588f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        stateless("StatelessTruncatedNormal", Tensor.of(0.544110119342804f, 0.20738030970096588f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        OpRow.of("StatelessRandomUniformInt")
            .example(
                () ->
                    OpCall.of(Tensor.of(3), Tensor.of(1L, 2L), Tensor.scalar(0), Tensor.scalar(10))
                        .attr("dtype", INT32),
                Tensor.of(0, 9, 4))
            .types(INT32, INT64)
            .draw(
                d ->
                    new OpCall()
                        .constant(sizes(d))
                        .input(seed(d))
                        .input(bound(d.type(), -d.integer(0, 1000)))
                        .input(bound(d.type(), d.integer(1, 1000))))
            .tolerance(0),
        OpRow.of("StatelessRandomUniformFullInt")
            .example(
                () -> OpCall.of(Tensor.of(2), Tensor.of(1L, 2L)).attr("dtype", INT32),
                Tensor.of(1105988140, 1738052849))
            .types(INT32, INT64)
            .draw(d -> new OpCall().constant(sizes(d)).input(seed(d)).attr("dtype", d.type()))
            .tolerance(0),
        OpRow.of("StatelessRandomGetKeyCounter")
            .example(() -> OpCall.of(Tensor.of(1L, 2L)), KEY, COUNTER)
            .types(INT64)
            .without(Draw.Size.EMPTY, "a seed has two elements")
            .without(Draw.Size.SCALAR, "a seed is a vector")
            .draw(d -> OpCall.of(seed(d))),
        OpRow.of("StatelessRandomGetKeyCounterAlg")
            .example(() -> OpCall.of(Tensor.of(1L, 2L)), KEY, COUNTER, Tensor.scalar(1))
            .types(INT64)
            .without(Draw.Size.EMPTY, "a seed has two elements")
            .draw(d -> OpCall.of(seed(d))),
        OpRow.of("StatelessRandomGetAlg")
            .types(INT32)
            .script(
                d -> {
                  Ops tf = Ops.create();
                  Output alg = tf.scope().operation("StatelessRandomGetAlg").buildOutput();
                  return Script.on(tf).expect(alg, Tensor.scalar(1));
                }),
        keyed("StatelessRandomUniformV2", Tensor.of(0.8440604209899902f, 0.19204533100128174f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        keyed("StatelessRandomNormalV2", Tensor.of(0.544110119342804f, 0.20738030970096588f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        keyed("StatelessTruncatedNormalV2", Tensor.of(0.544110119342804f, 0.20738030970096588f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16),
        OpRow.of("StatelessRandomUniformFullIntV2")
            .example(
                () -> keyed(Tensor.of(2)).attr("dtype", INT32), Tensor.of(1105988140, 1738052849))
            .types(INT32, INT64, DataType.UINT32, DataType.UINT64)
            .draw(d -> drawnKey(d).attr("dtype", d.type()))
            .tolerance(0),
        OpRow.of("StatelessRandomUniformIntV2")
            .example(
                () ->
                    keyed(Tensor.of(3))
                        .input(Tensor.scalar(0))
                        .input(Tensor.scalar(10))
                        .attr("dtype", INT32),
                Tensor.of(0, 9, 4))
            .types(INT32, INT64)
            .draw(
                d ->
                    drawnKey(d)
                        .input(bound(d.type(), -d.integer(0, 100)))
                        .input(bound(d.type(), d.integer(1, 100)))
                        .attr("dtype", d.type()))
            .tolerance(0),
        OpRow.of("StatelessShuffle")
            .example(() -> keyed(Tensor.of(7f)), Tensor.of(7f))
            .types(FLOAT, INT64)
            .draw(
                d ->
                    keyedOf(
                        d,
                        d.tensor(
                            Shape.of(
                                d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 9),
                                d.integer(1, 3))))),
        OpRow.of("StatelessMultinomial")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 2), 0f, -100f), Tensor.scalar(3), Tensor.of(1L, 2L)),
                Tensor.of(Shape.of(1, 3), 0L, 0L, 0L))
            .types(FLOAT, DOUBLE)
            .without(Draw.Size.SCALAR, "logits are a matrix")
            .draw(
                d ->
                    OpCall.of(
                            d.tensor(
                                Shape.of(
                                    d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4),
                                    d.integer(1, 7))))
                        .constant(Tensor.scalar(d.integer(0, 12)))
                        .input(seed(d)))
            .tolerance(0));
  }

  private static OpRow stateful(String op, BiFunction<Ops, Draw, OperationBuilder> make) {
    return OpRow.of(op)
        .tolerance(0)
        .script(
            d -> {
              Ops tf = Ops.create();
              Output output =
                  make.apply(tf, d)
                      .attr("seed", d.integer(0, 1000))
                      .attr("seed2", d.integer(1, 1000))
                      .buildOutput();
              return Script.on(tf).fetch(output).fetch(output).fetch(output);
            });
  }

  private static OpRow keyed(String op, Tensor twoOfSeed12) {
    return OpRow.of(op)
        .example(() -> keyed(Tensor.of(2)), twoOfSeed12)
        .draw(d -> drawnKey(d).attr("dtype", d.type()))
        .tolerance(0);
  }

  /** The key and counter of seed [1, 2]. */
  static OpCall keyed(Tensor shape) {
    Philox source = Philox.ofStatelessSeed(1, 2);
    return OpCall.of(
        shape,
        unsigned(source.key()),
        unsigned(source.counterLow(), source.counterHigh()),
        Tensor.scalar(1));
  }

  private static OpCall drawnKey(Draw d) {
    return keyedOf(d, sizes(d));
  }

  /** A shape, and a random key and counter. */
  static OpCall keyedOf(Draw d, Tensor shape) {
    return new OpCall()
        .constant(shape)
        .input(unsigned(d.random().nextLong()))
        .input(unsigned(d.random().nextLong(), d.random().nextLong()))
        .input(Tensor.scalar(d.oneOf(1, 3)));
  }

  private static Tensor unsigned(long... values) {
    try (Tensor signed = Tensor.of(values)) {
      return Tensor.of(DataType.UINT64, signed.shape(), signed.toBytes());
    }
  }

  private static OpRow stateless(String op, Tensor twoOfSeed12) {
    return OpRow.of(op)
        .example(() -> OpCall.of(Tensor.of(2), Tensor.of(1L, 2L)), twoOfSeed12)
        .draw(d -> new OpCall().constant(sizes(d)).input(seed(d)).attr("dtype", d.type()))
        .tolerance(0);
  }

  private static OperationBuilder ofShape(String op, Ops tf, Draw d) {
    return tf.scope().operation(op).input(shape(tf, d)).attr("dtype", d.type());
  }

  private static Output shape(Ops tf, Draw d) {
    return Constants.taking(tf, sizes(d));
  }

  private static Tensor sizes(Draw d) {
    Shape shape = d.shape(0, 4);
    return d.flip()
        ? Tensor.of(shape.toArray())
        : Tensor.of(java.util.Arrays.stream(shape.toArray()).mapToInt(s -> (int) s).toArray());
  }

  private static Tensor seed(Draw d) {
    return d.flip()
        ? Tensor.of(d.random().nextLong(), d.random().nextLong())
        : Tensor.of(d.random().nextInt(), d.random().nextInt());
  }

  private static Tensor bound(DataType type, int value) {
    return type == INT32 ? Tensor.scalar(value) : Tensor.scalar((long) value);
  }
}
