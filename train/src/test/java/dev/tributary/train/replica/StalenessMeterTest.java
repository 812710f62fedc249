package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import org.junit.jupiter.api.Test;

class StalenessMeterTest {
  @Test
  void record_modelSetBackUnderAGradient_countsAsFresh() {
    Ops tf = Ops.create();
    StalenessMeter meter = StalenessMeter.of(tf);
    Operation stale = meter.record(tf, number(tf, 4), number(tf, 2));
    Operation ahead = meter.record(tf, number(tf, -122), number(tf, 2));
    Staleness staleness = meter.staleness(tf, number(tf, 0));

    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      for (Variable variable : meter.variables()) {
        session.run(variable.initializer());
      }
      session.run(stale);
      session.run(ahead);

      try (StepResult result =
          session
              .runner()
              .fetch(staleness.last())
              .fetch(staleness.mean())
              .fetch(staleness.applied())
              .run()) {
        assertThat(result.get(0).floatValue()).isZero();
        assertThat(result.get(1).floatValue()).isEqualTo(1);
        assertThat(result.get(2).longValue()).isEqualTo(4);
      }
    }
  }

  private static Output number(Ops tf, long value) {
    return tf.constant(DataType.INT64, value);
  }
}
