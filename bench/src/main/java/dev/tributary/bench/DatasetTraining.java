package dev.tributary.bench;

import com.google.protobuf.ByteString;
import dev.tributary.graph.Output;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.ops.Ops;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.Examples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.Int64List;

/**
 * Trains the dense network on digits, by turns fed by a pipeline that reads them from records, and
 * with batches that were made beforehand: what input costs beside the computation.
 *
 * @param examples in the file of records
 */
record DatasetTraining(int examples) implements Workload {
  static final String NAME = "data-mnist";
  private static final int COURSE_EXAMPLES = 20_000;
  private static final int SHUFFLED = 10_000;
  private static final double SECONDS = 3;
  private static final Model MODEL = Model.MLP;

  static DatasetTraining course() {
    return new DatasetTraining(COURSE_EXAMPLES);
  }

  @Override
  public void run(Driver driver, Timing timing) {
    Dataset<Examples> digits = digits(file());
    try (TrainingInput made = new TrainingInput(MODEL, 0);
        PreparedGraph fromTensors =
            PreparedGraph.training(MODEL, VariableKind.resource, Replica.local());
        PreparedGraph fromDataset =
            PreparedGraph.training(
                MODEL, VariableKind.resource, Replica.local(), tf -> next(tf, digits))) {
      timing.rate(SECONDS, fromDataset::run);
      timing.rate(SECONDS, () -> fromTensors.run(made.next()));
      double[] dataset = new double[timing.rounds()];
      double[] tensors = new double[timing.rounds()];
      double[] ratios = new double[timing.rounds()];
      for (int i = 0; i < ratios.length; i++) {
        dataset[i] = MODEL.batch() * timing.rate(SECONDS, fromDataset::run);
        tensors[i] = MODEL.batch() * timing.rate(SECONDS, () -> fromTensors.run(made.next()));
        ratios[i] = dataset[i] / tensors[i];
      }
      driver.report(figure("dataset", "examples/s", dataset));
      driver.report(figure("tensors", "examples/s", tensors));
      driver.report(figure("dataset to tensors", "x", ratios));
    }
  }

  private static Figure figure(String input, String unit, double[] rounds) {
    return new Figure(NAME, Map.of("input", input), unit, Figure.Better.MAX, rounds);
  }

  // ---- the pipeline ----

  private static Dataset<Examples> digits(Path file) {
    ExampleFeatures features =
        ExampleFeatures.none()
            .fixed("image", DataType.STRING, Shape.scalar())
            .fixed("label", DataType.INT64, Shape.scalar());
    return Dataset.tfRecords(file)
        .shuffle(SHUFFLED, 1)
        .repeat()
        .batch(MODEL.batch(), true)
        .apply(batches -> Dataset.parseExamples(batches, features, Dataset.AUTOTUNE))
        .map((tf, parsed) -> scaled(tf, parsed))
        .prefetch(Dataset.AUTOTUNE);
  }

  private static Examples scaled(Ops tf, Examples parsed) {
    Output bytes = tf.io.decodeRaw(parsed.get("image"), DataType.UINT8);
    Output pixels = tf.mul(tf.cast(bytes, DataType.FLOAT), tf.constant(1 / 255f));
    Shape images = MODEL.images();
    return Examples.of("image", tf.reshape(pixels, images.size(0), images.size(1)))
        .and("label", tf.oneHot(parsed.get("label"), Model.CLASSES));
  }

  private static List<Output> next(Ops tf, Dataset<Examples> digits) {
    Examples next = digits.iterator(tf).next();
    return List.of(next.get("image"), next.get("label"));
  }

  private Path file() {
    try {
      Path file = Files.createTempFile("tributary-bench", ".tfrecord");
      file.toFile().deleteOnExit();
      Random random = new Random(examples);
      byte[] pixels = new byte[(int) MODEL.images().size(1)];
      try (RecordWriter writer = RecordWriter.create(file)) {
        for (int i = 0; i < examples; i++) {
          random.nextBytes(pixels);
          writer.write(example(pixels, random.nextInt(Model.CLASSES)));
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] example(byte[] pixels, int label) {
    BytesList image = BytesList.newBuilder().addValue(ByteString.copyFrom(pixels)).build();
    Int64List number = Int64List.newBuilder().addValue(label).build();
    return Example.newBuilder()
        .setFeatures(
            Features.newBuilder()
                .putFeature("image", Feature.newBuilder().setBytesList(image).build())
                .putFeature("label", Feature.newBuilder().setInt64List(number).build()))
        .build()
        .toByteArray();
  }
}
