package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Random numbers with parameters. The logarithms and powers of C differ from Java's in the last
 * bits, so that real numbers are compared with a tolerance; which draws are accepted is the same.
 */
final class DistributionOpRows {
  private static final String SLOPES =
      "a random number has no slope by differences; RandomGammaGrad";

  private DistributionOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        stateful(
                "RandomGamma",
                (tf, d) ->
                    tf.scope()
                        .operation("RandomGamma")
                        .input(Constants.taking(tf, sizes(d.shape(0, 2))))
                        .input(Constants.taking(tf, alphas(d, d.shape(0, 2)))))
            .types(FLOAT, DOUBLE)
            .withoutGradientCheck(SLOPES),
        stateful(
                "RandomPoissonV2",
                (tf, d) ->
                    tf.scope()
                        .operation("RandomPoissonV2")
                        .input(Constants.taking(tf, sizes(d.shape(0, 2))))
                        .input(Constants.taking(tf, rates(d, d.shape(0, 2))))
                        .attr("dtype", d.oneOf(FLOAT, DOUBLE, INT32, INT64)))
            .types(FLOAT, DOUBLE, INT32, INT64),
        stateful(
                "RandomPoisson",
                (tf, d) ->
                    tf.scope()
                        .operation("RandomPoisson")
                        .input(Constants.taking(tf, sizes(d.shape(0, 2))))
                        .input(Constants.taking(tf, rates(d, d.shape(0, 2)))))
            .types(FLOAT, DOUBLE)
            .withoutStock("stock takes it only in graphs of 2018 and earlier"),
        OpRow.of("StatelessRandomGammaV2")
            .example(
                () -> OpCall.of(Tensor.of(1), Tensor.of(1L, 2L), Tensor.scalar(1e6)),
                Tensor.of(1000740.4566374667))
            .types(FLOAT, DOUBLE)
            .draw(
                d -> {
                  Shape alpha = d.shape(0, 2);
                  return new OpCall()
                      .constant(sizes(Shape.of(3).concatenate(alpha)))
                      .input(seed(d))
                      .input(alphas(d, alpha));
                })
            .withoutGradientCheck(SLOPES),
        OpRow.of("StatelessRandomGammaV3")
            .example(
                () -> RandomOpRows.keyed(Tensor.of(1)).input(Tensor.scalar(1e6)),
                Tensor.of(1000740.4566374667))
            .types(FLOAT, DOUBLE)
            .draw(
                d -> {
                  Shape alpha = d.shape(0, 2);
                  return RandomOpRows.keyedOf(d, sizes(Shape.of(3).concatenate(alpha)))
                      .input(alphas(d, alpha));
                })
            .withoutGradientCheck(SLOPES),
        OpRow.of("StatelessRandomPoisson")
            .example(
                () ->
                    OpCall.of(Tensor.of(2), Tensor.of(1L, 2L), Tensor.scalar(0.0))
                        .attr("dtype", INT32),
                Tensor.of(0, 0))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(
                d -> {
                  Shape rates = d.shape(0, 2);
                  return new OpCall()
                      .constant(sizes(Shape.of(3).concatenate(rates)))
                      .input(seed(d))
                      .input(rates(d, rates))
                      .attr("dtype", d.oneOf(FLOAT, DOUBLE, INT32, INT64));
                }),
        OpRow.of("StatelessRandomBinomial")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(2),
                            Tensor.of(1L, 2L),
                            Tensor.scalar(5.0),
                            Tensor.of(0.0, 1.0))
                        .attr("dtype", INT32),
                Tensor.of(0, 5))
            .types(FLOAT, DOUBLE)
            .draw(
                d -> {
                  Shape batch = d.shape(0, 2);
                  return new OpCall()
                      .constant(sizes(Shape.of(3).concatenate(batch)))
                      .input(seed(d))
                      .input(d.tensor(d.type(), batch, 1, 100))
                      .input(d.tensor(d.type(), d.flip() ? batch : Shape.scalar(), 0, 1))
                      .attr("dtype", d.oneOf(FLOAT, DOUBLE, INT32, INT64));
                }),
        OpRow.of("StatefulRandomBinomial")
            .types(FLOAT, DOUBLE)
            .script(
                d ->
                    GeneratorOpRows.script(
                        (tf, state) ->
                            tf.scope()
                                .operation("StatefulRandomBinomial")
                                .input(state)
                                .input(tf.constant(1L))
                                .input(tf.constant(4, 3))
                                .input(
                                    Constants.taking(tf, d.tensor(d.type(), Shape.of(3), 1, 100)))
                                .input(tf.constant(d.type(), 0.3))
                                .attr("dtype", d.oneOf(FLOAT, INT32))
                                .buildOutput())),
        OpRow.of("RandomGammaGrad")
            .example(() -> OpCall.of(Tensor.of(1.0), Tensor.of(1.0)), Tensor.of(1.1735630272246917))
            .types(FLOAT, DOUBLE)
            .tolerance(1e-3)
            .draw(
                d ->
                    Pairs.call(
                        d,
                        shape -> d.tensor(d.type(), shape, 0.5, 5),
                        shape -> d.tensor(d.type(), shape, 0.1, 8))));
  }

  private static OpRow stateful(String op, BiFunction<Ops, Draw, OperationBuilder> make) {
    return OpRow.of(op)
        .script(
            d -> {
              Ops tf = Ops.create();
              Output output =
                  make.apply(tf, d)
                      .attr("seed", d.integer(0, 1000))
                      .attr("seed2", d.integer(1, 1000))
                      .buildOutput();
              return Script.on(tf).fetch(output).fetch(output);
            });
  }

  private static Tensor sizes(Shape shape) {
    return Tensor.of(Arrays.stream(shape.toArray()).mapToInt(size -> (int) size).toArray());
  }

  private static Tensor alphas(Draw d, Shape shape) {
    return d.tensor(d.type(), shape, 0.1, 6);
  }

  /** Rates on both sides of where the algorithm changes. */
  private static Tensor rates(Draw d, Shape shape) {
    return d.tensor(d.type(), shape, 0.5, d.flip() ? 9 : 60);
  }

  private static Tensor seed(Draw d) {
    return Tensor.of(d.random().nextLong(), d.random().nextLong());
  }
}
