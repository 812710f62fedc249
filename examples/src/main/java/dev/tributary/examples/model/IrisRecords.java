package dev.tributary.examples.model;

import static dev.tributary.train.data.Dataset.AUTOTUNE;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.ops.Ops;
import dev.tributary.ops.ParsedExamples;
import dev.tributary.record.RecordWriter;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.DatasetIterator;
import dev.tributary.train.data.Examples;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.variable.VariableScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.FloatList;
import org.tensorflow.proto.Int64List;

/**
 * Tells iris flowers apart like {@link IrisDense}, but reads them from TFRecord files: input is a
 * {@link Dataset}, apart from the model. Makes the files first, in the folder that is its argument.
 */
public final class IrisRecords {
  private static final int STEPS = 300;
  private static final int BATCH = 30;
  private static final int SHARDS = 3;

  private static final ExampleFeatures FEATURES =
      ExampleFeatures.none()
          .fixed("lengths", DataType.FLOAT, Shape.of(4))
          .fixed("kind", DataType.INT64, Shape.scalar());

  private IrisRecords() {}

  public static void main(String[] arguments) {
    Path folder = arguments.length > 0 ? Path.of(arguments[0]) : temporaryFolder();
    LabelledRows iris = LabelledRows.iris();
    write(folder, "train", iris.everyNth(5, true));
    write(folder, "test", iris.everyNth(5, false));

    Dataset<Examples> training =
        Dataset.tfRecords(folder.resolve("train-*.tfrecord"))
            .shuffle(150, 1)
            .repeat()
            .batch(BATCH)
            .map(IrisRecords::parse, AUTOTUNE)
            .prefetch(AUTOTUNE);
    Dataset<Examples> test =
        Dataset.tfRecords(folder.resolve("test-*.tfrecord")).batch(150).map(IrisRecords::parse);

    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    DatasetIterator<Examples> input = DatasetIterator.reinitializable(tf, training.spec());
    Operation toTraining = input.initializer(training);
    Operation toTest = input.initializer(test);
    Examples flowers = input.next();
    Output labels = tf.cast(flowers.get("kind"), DataType.INT32);

    VariableScope scope = VariableScope.of(tf);
    Output hidden =
        Dense.of(16)
            .withActivation(Activation.RELU)
            .apply(scope.open("hidden"), flowers.get("lengths"));
    Output logits = Dense.of(3).apply(scope.open("logits"), hidden);
    Output loss = Losses.sparseSoftmaxCrossEntropy(labels, logits);
    Operation train = new AdamOptimizer(0.02).minimize(loss);
    Output right = tf.equal(tf.cast(tf.argMax(logits, 1), DataType.INT32), labels);
    Output accuracy = tf.mean(tf.cast(right, DataType.FLOAT));

    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      session.run(toTraining);
      for (int step = 1; step <= STEPS; step++) {
        session.run(train);
        if (step % 100 == 0) {
          System.out.printf("step %d, loss %.3f%n", step, session.fetch(loss).floatValue());
        }
      }
      session.run(toTest);
      System.out.printf("accuracy %.2f%n", session.fetch(accuracy).floatValue());
    }
  }

  /** A graph function: takes a batch of records apart, all at once. */
  private static Examples parse(Ops tf, Output records) {
    ParsedExamples parsed = tf.io.parseExample(records, FEATURES);
    return Examples.of("lengths", parsed.dense("lengths")).and("kind", parsed.dense("kind"));
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("iris-records");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Spreads rows over several files. */
  private static void write(Path folder, String name, LabelledRows rows) {
    for (int shard = 0; shard < SHARDS; shard++) {
      try (RecordWriter writer =
          RecordWriter.create(folder.resolve(name + "-" + shard + ".tfrecord"))) {
        for (int row = shard; row < rows.labels().length; row += SHARDS) {
          writer.write(example(rows.features()[row], rows.labels()[row]).toByteArray());
        }
      }
    }
  }

  private static Example example(float[] lengths, int kind) {
    FloatList.Builder values = FloatList.newBuilder();
    for (float length : lengths) {
      values.addValue(length);
    }
    Int64List label = Int64List.newBuilder().addValue(kind).build();
    return Example.newBuilder()
        .setFeatures(
            Features.newBuilder()
                .putFeature("lengths", Feature.newBuilder().setFloatList(values).build())
                .putFeature("kind", Feature.newBuilder().setInt64List(label).build()))
        .build();
  }
}
