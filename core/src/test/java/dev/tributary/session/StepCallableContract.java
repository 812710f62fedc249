package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps that are prepared once and run many times. */
abstract class StepCallableContract extends StepEndingContract {
  @Test
  void prepare_callable_runsManyTimesAndChecksItsFeeds() {
    Output x = scalar();
    Output y = scalar();
    Output difference = tf.withDevice(otherDevice()).sub(x, y);
    StepCallable callable =
        session.prepare(List.of(y, x), List.of(difference, difference), List.of());
    try (Tensor two = value(2);
        Tensor integer = Tensor.scalar(1L)) {
      for (int i = 0; i < 100; i++) {
        try (Tensor feed = value(i);
            StepResult result = callable.run(two, feed)) {
          assertThat(result).extracting(Tensor::floatValue).containsExactly(i - 2f, i - 2f);
        }
      }
      refused(() -> callable.run(two), "2 feeds and got 1");
      refused(() -> callable.run(two, integer), x.name() + " is float and was fed a int64");
    }
    callable.close();
    fails(ErrorCode.CANCELLED, callable::run, "the callable is closed");
  }

  @Test
  void prepare_malformedRequest_failsAtOnce() {
    Output x = scalar();

    refused(() -> session.prepare(List.of(x, x), List.of(tf.neg(x)), List.of()), "is fed twice");
    refused(() -> session.prepare(List.of(x), List.of(), List.of()), "something to fetch");
  }

  @Test
  void close_fetchedValuesTwice_laterStepsStillRun() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2));
    Output constant = tf.constant(1f, 2f);
    Variable variable = tf.variable("v", tf.constant(3f, 4f));
    List<Output> fetches = List.of(constant, variable.value(), tf.identity(x), constant);
    try (StepCallable callable = session.prepare(List.of(x), fetches, List.of());
        Tensor fed = Tensor.of(5f, 6f)) {
      session.run(tf.globalVariablesInitializer());
      for (int i = 0; i < 3; i++) {
        requireValuesAndCloseTwice(session.runner().feed(x, fed).fetch(fetches).run());
        requireValuesAndCloseTwice(callable.run(fed));
      }
      assertThat(fed.toFloats()).containsExactly(5, 6);
    }
  }

  private static void requireValuesAndCloseTwice(StepResult result) {
    assertThat(result.get(0).toFloats()).containsExactly(1, 2);
    assertThat(result.get(1).toFloats()).containsExactly(3, 4);
    assertThat(result.get(2).toFloats()).containsExactly(5, 6);
    for (int i = 0; i < 3; i++) {
      result.get(i).close();
      result.get(i).close();
    }
    assertThat(result.get(3).toFloats()).containsExactly(1, 2);
    result.close();
    result.close();
  }
}
