package dev.tributary.examples.model;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.JavaValues;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.layer.Activation;
import dev.tributary.train.layer.Dense;
import dev.tributary.train.queue.BatchOptions;
import dev.tributary.train.queue.Batching;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.variable.VariableScope;
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
            List.of(constant(tf, training.features()), constant(tf, training.labels())),
            ProducerOptions.defaults());
    List<Output> batch = Batching.batch(tf, one, BatchOptions.of(BATCH_SIZE));

    VariableScope scope = VariableScope.of(tf);
    Output logits = logits(scope, batch.get(0));
    Output tested = logits(scope.reuse(), constant(tf, test.features()));
    Output read = tf.cast(tf.argMax(tested, 1), DataType.INT32);
    Output right = tf.equal(read, constant(tf, test.labels()));
    return new NumberNetwork(batch.get(1), logits, tf.mean(tf.cast(right, DataType.FLOAT)));
  }

  private static Output logits(VariableScope scope, Output images) {
    Output hidden =
        Dense.of(64).withActivation(Activation.RELU).apply(scope.open("hidden"), images);
    return Dense.of(10).apply(scope.open("logits"), hidden);
  }

  private static Output constant(Ops tf, Object rows) {
    try (Tensor tensor = JavaValues.toTensor(rows)) {
      return tf.constant(tensor);
    }
  }
}
