package dev.tributary.train.data;

import static dev.tributary.train.data.Dataset.AUTOTUNE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.ops.Ops;
import dev.tributary.ops.ParsedExamples;
import dev.tributary.record.RecordWriter;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.FloatList;
import org.tensorflow.proto.Int64List;

/** Whole pipelines, as programs use them. */
@NoLeaks
@Timeout(60)
class DatasetTest {
  private static final ExampleFeatures FEATURES =
      ExampleFeatures.none()
          .fixed("image", DataType.FLOAT, Shape.of(2))
          .fixed("label", DataType.INT64, Shape.scalar());

  @TempDir private Path folder;

  @Test
  void pipeline_ofRecordFiles_feedsAGraphAndALoop() {
    write("train-0.tfrecord", 0, 6);
    write("train-1.tfrecord", 6, 10);
    Dataset<Examples> train =
        Dataset.tfRecords(folder.resolve("train-*.tfrecord"))
            .shuffle(10_000, 7)
            .repeat(2)
            .map((tf, record) -> parse(tf, record), AUTOTUNE)
            .batch(8)
            .prefetch(AUTOTUNE);

    List<Long> labels = new ArrayList<>();
    try (Iteration batches = train.iterate()) {
      for (Elements batch : batches) {
        assertThat(batch.get("image").shape())
            .isEqualTo(Shape.of(batch.get("label").elementCount(), 2));
        for (long label : batch.get("label").toLongs()) {
          labels.add(label);
        }
      }
    }
    assertThat(labels.subList(0, 10))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(labels.subList(10, 20))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);

    Ops tf = Ops.create();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      Output images = train.iterator(tf).next().get("image");
      assertThat(images.shape()).isEqualTo(Shape.of(-1, 2));
      assertThat(session.fetch(images).toFloats()[0]).isEqualTo(labels.get(0) * 0.5f);
      assertThat(session.fetch(images).shape()).isEqualTo(Shape.of(8, 2));
      assertThat(session.fetch(images).shape()).isEqualTo(Shape.of(4, 2));
      assertThatThrownBy(() -> session.fetch(images))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("End of sequence");
    }
  }

  private static Examples parse(Ops tf, Output record) {
    ParsedExamples parsed = tf.io.parseSingleExample(record, FEATURES);
    return Examples.of("image", parsed.dense("image")).and("label", parsed.dense("label"));
  }

  private void write(String name, int from, int to) {
    try (RecordWriter writer = RecordWriter.create(folder.resolve(name))) {
      for (int i = from; i < to; i++) {
        writer.write(example(i).toByteArray());
      }
    }
  }

  private static Example example(int i) {
    Features features =
        Features.newBuilder()
            .putFeature(
                "image",
                Feature.newBuilder()
                    .setFloatList(FloatList.newBuilder().addValue(i * 0.5f).addValue(i))
                    .build())
            .putFeature(
                "label",
                Feature.newBuilder().setInt64List(Int64List.newBuilder().addValue(i)).build())
            .build();
    return Example.newBuilder().setFeatures(features).build();
  }
}
