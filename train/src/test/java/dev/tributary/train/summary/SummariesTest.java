package dev.tributary.train.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.Summary;

@NoLeaks
class SummariesTest {
  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void mergeAll_collectedSummaries_givesThemByScopedTags() throws Exception {
    Output two = tf.constant(DataType.FLOAT, 2);
    Summaries.scalar(tf, "loss", two);
    Summaries.scalar(tf, "loss", two);
    Summaries.histogram(tf.withSubScope("layer"), "w (kernel)", two);

    Output all = Summaries.mergeAll(tf).orElseThrow();

    try (Session session = Sessions.local(tf.graph());
        StepResult result = session.runner().fetch(all).run()) {
      Summary summary = Summary.parseFrom((byte[]) result.get(0).objects()[0]);
      assertThat(summary.getValueList())
          .extracting(Summary.Value::getTag)
          .containsExactly("loss", "loss_1", "layer/w__kernel_");
      assertThat(summary.getValue(0).getSimpleValue()).isEqualTo(2);
      assertThat(summary.getValue(2).getHisto().getNum()).isEqualTo(1);
    }
  }

  @Test
  void mergeAll_noSummaries_isNothing() {
    assertThat(Summaries.mergeAll(tf)).isEmpty();
  }
}
