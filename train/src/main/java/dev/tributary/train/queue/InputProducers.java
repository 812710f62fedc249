package dev.tributary.train.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.internal.LocalScope;
import dev.tributary.train.variable.GraphKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Queues of file names, numbers or slices that go through their elements epoch by epoch. Each adds
 * a queue runner to the graph, and a local variable that counts epochs if there is a limit: run the
 * initializer of local variables before the runners start. When all epochs are over the queue is
 * closed, so that dequeues end with OUT_OF_RANGE.
 */
public final class InputProducers {
  private InputProducers() {}

  /** The rows of a tensor, of which at least the rank must be known. */
  public static Queue inputProducer(Ops tf, Operand input, ProducerOptions options) {
    if (input.asOutput().shape().rank() < 1) {
      throw TributaryException.invalidArgument(
          "an input producer needs a tensor with rows, got shape %s", input.asOutput().shape());
    }
    Shape element = input.asOutput().shape().slice(1, input.asOutput().shape().rank());
    if (!element.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "the rows of an input producer must have a known shape, got %s",
          input.asOutput().shape());
    }
    Output epoch = options.shuffle() ? shuffled(tf, input, options) : input.asOutput();
    Queue queue =
        tf.queues.fifoQueue(
            QueueOptions.of(options.capacity(), input.asOutput().type())
                .withShapes(element)
                .withSharedName(options.sharedName()));
    Operation enqueue = queue.enqueueMany(limited(tf, epoch, options));
    QueueRunner.of(queue, List.of(enqueue)).addTo(tf.graph());
    return queue;
  }

  /** File names and the like: the elements of a vector of strings. */
  public static Queue stringInputProducer(Ops tf, Operand strings, ProducerOptions options) {
    return inputProducer(tf.withSubScope("input_producer"), strings, options);
  }

  /** As the other, for names that are known. */
  public static Queue stringInputProducer(Ops tf, List<String> strings, ProducerOptions options) {
    if (strings.isEmpty()) {
      throw TributaryException.invalidArgument("a string input producer needs at least one string");
    }
    return stringInputProducer(tf, tf.constant(strings.toArray(new String[0])), options);
  }

  /** The numbers from 0 up to but without {@code limit}, an int32. */
  public static Queue rangeInputProducer(Ops tf, Operand limit, ProducerOptions options) {
    Ops scope = tf.withSubScope("input_producer");
    return inputProducer(scope, scope.range(scope.constant(0), limit, scope.constant(1)), options);
  }

  /** One row of each tensor, all from the same place. The tensors have equally many rows. */
  public static List<Output> sliceInputProducer(
      Ops tf, List<? extends Operand> tensors, ProducerOptions options) {
    if (tensors.isEmpty()) {
      throw TributaryException.invalidArgument("a slice input producer needs at least one tensor");
    }
    Ops scope = tf.withSubScope("input_producer");
    Output rows = scope.gather(scope.shape(tensors.get(0)), scope.constant(0));
    Output row = rangeInputProducer(scope, rows, options).dequeue().get(0);
    List<Output> slices = new ArrayList<>();
    tensors.forEach(tensor -> slices.add(scope.gather(tensor, row)));
    return slices;
  }

  private static Output shuffled(Ops tf, Operand input, ProducerOptions options) {
    return options.seed().isPresent()
        ? tf.random.shuffle(input, options.seed().getAsLong())
        : tf.random.shuffle(input);
  }

  /** The epoch's elements, until all epochs have been counted. */
  private static Output limited(Ops tf, Operand epoch, ProducerOptions options) {
    if (options.epochs().isEmpty()) {
      return epoch.asOutput();
    }
    Ops scope = tf.withSubScope("limit_epochs");
    Variable epochs =
        LocalScope.of(scope)
            .state
            .variable(
                VariableDefinition.of(
                    "epochs", DataType.INT64, Shape.scalar(), List.of(GraphKeys.LOCAL_VARIABLES)),
                beside -> beside.constant(0L));
    Output count =
        scope.state.resourceCountUpTo(
            epochs.handle(), options.epochs().getAsLong(), DataType.INT64);
    return scope.withControlDependencies(count.operation()).identity(epoch);
  }
}
