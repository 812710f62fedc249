package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
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
  void mergeAll_imagesTensorsAndText_areWhatTensorBoardExpects() throws Exception {
    Output images = tf.constant(Shape.of(2, 1, 2, 1), 0f, 1f, 2f, 4f);
    Summaries.image(tf, "digits", images, 3);
    Summaries.tensor(tf, "codes", tf.constant(1, 2));
    Summaries.text(tf, "note", tf.constant("*a*", "b"));

    Output all = Summaries.mergeAll(tf).orElseThrow();

    try (Session session = Sessions.local(tf.graph());
        StepResult result = session.runner().fetch(all).run()) {
      Summary summary = Summary.parseFrom((byte[]) result.get(0).objects()[0]);
      assertThat(summary.getValueList())
          .extracting(Summary.Value::getTag)
          .containsExactly("digits/image/0", "digits/image/1", "codes", "note");
      Pixels second =
          PngImages.decode(summary.getValue(1).getImage().getEncodedImageString().toByteArray(), 0);
      assertThat(second.samples()).containsExactly(127, 255);
      assertThat(summary.getValue(2).getMetadata().getPluginData().getPluginName()).isEmpty();
      assertThat(summary.getValue(3).getMetadata().getPluginData().getPluginName())
          .isEqualTo("text");
      assertThat(summary.getValue(3).getTensor().getStringValCount()).isEqualTo(2);
    }
  }

  @Test
  void text_ofNumbers_isRefused() {
    assertThatThrownBy(() -> Summaries.text(tf, "note", tf.constant(1)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'note' needs strings, got int32");
  }

  @Test
  void mergeAll_noSummaries_isNothing() {
    assertThat(Summaries.mergeAll(tf)).isEmpty();
  }
}
