package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that are fed and fetched piece by piece. */
abstract class PartialRunContract extends StepCallableContract {
  @Test
  void partialRun_inTwoPieces_givesBothValues() {
    Output a = scalar();
    Output b = scalar();
    Output sum = tf.add(a, tf.constant(10f));
    Output product = tf.withDevice(otherDevice()).mul(sum, b);

    try (Tensor one = value(1);
        Tensor two = value(2)) {
      for (int i = 0; i < 3; i++) {
        PartialRun run = session.partialRun(List.of(a, b), List.of(sum, product), List.of());
        assertThat(piece(run, Map.of(a, one), sum)).isEqualTo(11);
        assertThat(piece(run, Map.of(b, two), product)).isEqualTo(22);
        refused(() -> run.run(Map.of(b, two), List.of(product)));
      }
    }
  }

  @Test
  void partialRun_withFeedsOfJavaValues_givesTheSame() {
    Output a = scalar();
    Output b = scalar();
    Output sum = tf.add(a, b);

    PartialRun run = session.partialRun(List.of(a, b), List.of(sum), List.of());
    run.run(Feeds.of(a, 1f), List.of()).close();
    try (StepResult last = run.run(Feeds.of(b, 2f), List.of(sum.operation()))) {
      assertThat(last.get(0).floatValue()).isEqualTo(3);
    }
  }

  @Test
  void partialRun_valueFetchedAfterTheGraphHasEnded_isStillThere() {
    Output a = scalar();
    Output sum = tf.add(a, tf.constant(10f));
    Output negated = tf.neg(sum);

    try (Tensor one = value(1)) {
      PartialRun run = session.partialRun(List.of(a), List.of(sum, negated), List.of());
      assertThat(piece(run, Map.of(a, one), negated)).isEqualTo(-11);
      try (StepResult last = run.run(Map.of(), List.of(sum, sum))) {
        assertThat(last).extracting(Tensor::floatValue).containsExactly(11f, 11f);
      }
    }
  }

  @Test
  void partialRun_fetchBeforeItsFeeds_isRefusedAndTheRunGoesOn() {
    Output a = scalar();
    Output b = scalar();
    Output sum = tf.add(a, b);

    try (Tensor one = value(1);
        Tensor two = value(2)) {
      PartialRun run = session.partialRun(List.of(a, b), List.of(sum), List.of());
      refused(() -> run.run(Map.of(a, one), List.of(sum)), sum.name(), b.name());
      refused(() -> run.run(Map.of(), List.of(a)), a.name());
      assertThat(piece(run, Map.of(a, one, b, two), sum)).isEqualTo(3);
    }
  }

  @Test
  void partialRun_failingNode_endsTheRun() {
    Output a = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output b = scalar();
    Output bad = tf.withName("bad").reshape(a, tf.constant(2, 2));
    Output sum = tf.add(b, b);

    try (Tensor three = Tensor.of(1f, 2f, 3f)) {
      PartialRun run = session.partialRun(List.of(a, b), List.of(bad, sum), List.of());
      refused(() -> run.run(Map.of(a, three), List.of(bad)), "'bad'");
      assertThat(fetch(tf.constant(1f))).isEqualTo(1);
    }
  }

  @Test
  void partialRun_fetchOnTheBranchNotTaken_failsWithoutTheOtherFeeds() {
    Output a = scalar();
    Output b = scalar();
    Output dead = tf.flow.switchOn(a, tf.less(a, a)).get(1);
    Output sum = tf.add(b, b);

    try (Tensor one = value(1)) {
      PartialRun run = session.partialRun(List.of(a, b), List.of(dead, sum), List.of());
      refused(() -> run.run(Map.of(a, one), List.of(dead)), "not valid");
    }
  }

  @Test
  void partialRun_sessionIsClosed_isCancelled() {
    Output a = scalar();
    Output sum = tf.add(a, tf.constant(1f));
    PartialRun unused = session.partialRun(List.of(a), List.of(sum), List.of());
    session.close();

    try (Tensor one = value(1)) {
      fails(ErrorCode.CANCELLED, () -> unused.run(Map.of(a, one), List.of(sum)));
    }
    fails(
        ErrorCode.CANCELLED,
        () -> session.partialRun(List.of(a), List.of(sum), List.of()),
        "session is closed");
  }

  @Test
  void partialRun_malformedRequest_failsAtOnce() {
    Output a = scalar();
    Ops foreign = Ops.create();

    refused(() -> session.partialRun(List.of(a), List.of(), List.of()), "something to fetch");
    refused(
        () -> session.partialRun(List.of(), List.of(foreign.constant(1f)), List.of()),
        "another graph");
    foreign.graph().close();
  }

  private static float piece(PartialRun run, Map<Output, Tensor> feeds, Output fetch) {
    try (StepResult result = run.run(feeds, List.of(fetch))) {
      return result.get(0).floatValue();
    }
  }
}
