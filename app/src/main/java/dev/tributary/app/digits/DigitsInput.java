package dev.tributary.app.digits;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.internal.LocalScope;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import java.util.List;

/**
 * Batches of training images in an order of their own for each pass and each worker. The images are
 * held on the worker's device; a queue, filled by a queue runner, has the numbers of those that
 * come next. To be loaded in each session before the first step.
 *
 * @param images the next batch, [n, height, width, 1]
 * @param labels its digits, [n]
 */
record DigitsInput(ImageSet all, Variable pixels, Variable digits, Output images, Output labels) {
  private static final int BATCHES_AHEAD = 8;

  /**
   * @param seed what the order follows from
   */
  static DigitsInput build(Ops tf, ImageSet all, int batch, long seed) {
    Ops local = LocalScope.of(tf.withSubScope("input"));
    Variable pixels = held(local, "training_images", DataType.FLOAT, all.shape());
    Variable digits = held(local, "training_labels", DataType.INT32, Shape.of(all.size()));
    ProducerOptions options =
        ProducerOptions.defaults().withSeed(seed).withCapacity(BATCHES_AHEAD * batch);
    Output next =
        InputProducers.rangeInputProducer(local, local.constant(all.size()), options)
            .dequeueMany(batch)
            .get(0);
    return new DigitsInput(
        all,
        pixels,
        digits,
        local.state.resourceGather(pixels.handle(), next, DataType.FLOAT),
        local.state.resourceGather(digits.handle(), next, DataType.INT32));
  }

  private static Variable held(Ops tf, String name, DataType type, Shape shape) {
    return tf.state.variable(
        VariableDefinition.of(name, type, shape, List.of()),
        beside -> beside.placeholder(type, shape));
  }

  /** Brings the images to the worker's device. */
  void load(Session session) {
    try (Tensor values = all.toTensor();
        Tensor classes = all.toLabels()) {
      session
          .runner()
          .feed(pixels.initialValue(), values)
          .feed(digits.initialValue(), classes)
          .target(pixels.initializer())
          .target(digits.initializer())
          .run()
          .close();
    }
  }
}
