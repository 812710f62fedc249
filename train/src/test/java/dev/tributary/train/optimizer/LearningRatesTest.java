package dev.tributary.train.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.testing.ModelRun;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LearningRatesTest {
  static Stream<Arguments> schedules() {
    return Stream.of(
        schedule(
            "exponential",
            (tf, step) -> LearningRates.exponentialDecay(tf, 0.1, step, 100, 0.5, false),
            step -> 0.1 * Math.pow(0.5, step / 100.0)),
        schedule(
            "exponential staircase",
            (tf, step) -> LearningRates.exponentialDecay(tf, 0.1, step, 100, 0.5, true),
            step -> 0.1 * Math.pow(0.5, step / 100)),
        schedule(
            "natural exponential",
            (tf, step) -> LearningRates.naturalExpDecay(tf, 0.1, step, 100, 0.5, false),
            step -> 0.1 * Math.exp(-0.5 * step / 100.0)),
        schedule(
            "inverse time",
            (tf, step) -> LearningRates.inverseTimeDecay(tf, 0.1, step, 100, 0.5, false),
            step -> 0.1 / (1 + 0.5 * step / 100.0)),
        schedule(
            "inverse time staircase",
            (tf, step) -> LearningRates.inverseTimeDecay(tf, 0.1, step, 100, 0.5, true),
            step -> 0.1 / (1 + 0.5 * (step / 100))),
        schedule(
            "polynomial",
            (tf, step) -> LearningRates.polynomialDecay(tf, 0.1, step, 200, 0.01, 2),
            step -> 0.09 * Math.pow(1 - Math.min(step, 200) / 200.0, 2) + 0.01),
        schedule(
            "cyclic polynomial",
            (tf, step) -> LearningRates.cyclicPolynomialDecay(tf, 0.1, step, 100, 0.01, 1),
            step -> 0.09 * (1 - step / (100 * Math.max(1, Math.ceil(step / 100.0)))) + 0.01),
        schedule(
            "cosine",
            (tf, step) -> LearningRates.cosineDecay(tf, 0.1, step, 200, 0.2),
            step ->
                0.1 * (0.8 * 0.5 * (1 + Math.cos(Math.PI * Math.min(step, 200) / 200.0)) + 0.2)),
        schedule(
            "piecewise",
            (tf, step) ->
                LearningRates.piecewiseConstant(
                    tf, step, List.of(100L, 200L), List.of(1.0, 0.5, 0.1)),
            step -> step <= 100 ? 1 : step <= 200 ? 0.5 : 0.1));
  }

  private static Arguments schedule(
      String name, BiFunction<Ops, Output, Output> schedule, LongToDoubleFunction expected) {
    return Arguments.of(name, schedule, expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("schedules")
  void rate_atEachStep_followsItsFormula(
      String name, BiFunction<Ops, Output, Output> schedule, LongToDoubleFunction expected) {
    for (long step : new long[] {0, 1, 50, 99, 100, 101, 200, 201, 350}) {
      Ops tf = Ops.create();
      Output rate = schedule.apply(tf, tf.constant(DataType.INT64, step));
      try (ModelRun run = ModelRun.of(tf)) {
        assertThat((double) run.floatOf(rate))
            .as("at step %d", step)
            .isCloseTo(expected.applyAsDouble(step), within(1e-6));
      }
    }
  }

  @Test
  void piecewiseConstant_boundariesThatFall_areRefused() {
    Ops tf = Ops.create();

    assertThatThrownBy(
            () ->
                LearningRates.piecewiseConstant(
                    tf, tf.constant(1), List.of(2L, 1L), List.of(1.0, 2.0, 3.0)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("[2, 1]");
  }
}
