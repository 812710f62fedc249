package dev.tributary.examples.model;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.queue.BatchOptions;
import dev.tributary.train.queue.Batching;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.variable.VariableScope;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * The network of {@link NumberRecognition}, with batches of digits that threads of the session
 * bring.
 *
 * @param labels the digits that a batch shows
 * @param logits how much each image looks like each digit
 * @param accuracy the share of test images that the network reads right
 */
record NumberNetwork(Output labels, Output logits, Output accuracy) {
  private static final int BATCH_SIZE = 100;

  static NumberNetwork build(Ops tf) {
    LabelledRows digits = LabelledRows.digits();
    LabelledRows training = digits.everyNth(5, true);
    LabelledRows test = digits.everyNth(5, false);
    List<Output> one =
        InputProducers.sliceInputProducer(
            tf,
            List.of(constant(tf, training.features()), tf.constant(training.labels())),
            ProducerOptions.defaults());
    List<Output> batch = Batching.batch(tf, one, BatchOptions.of(BATCH_SIZE));

    VariableScope scope = VariableScope.of(tf);
    Output logits = logits(scope, batch.get(0));
    Output tested = logits(scope.withReuse(), constant(tf, test.features()));
    Output read = tf.cast(tf.argMax(tested, 1), DataType.INT32);
    Output right = tf.equal(read, tf.constant(test.labels()));
    return new NumberNetwork(batch.get(1), logits, tf.mean(tf.cast(right, DataType.FLOAT)));
  }

  private static Output logits(VariableScope scope, Output images) {
    Output hidden =
        Dense.of(64).withActivation(Activation.RELU).apply(scope.open("hidden"), images);
    return Dense.of(10).apply(scope.open("logits"), hidden);
  }

  private static Output constant(Ops tf, float[][] rows) {
    FloatBuffer all = FloatBuffer.allocate(rows.length * rows[0].length);
    for (float[] row : rows) {
      all.put(row);
    }
    return tf.constant(Shape.of(rows.length, rows[0].length), all.array());
  }
}
