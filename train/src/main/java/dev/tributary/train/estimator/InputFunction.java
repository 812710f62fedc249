package dev.tributary.train.estimator;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.feature.Features;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A function that builds the input of a model in the model's graph: a dataset as a rule, or queues.
 * It is called for each training, evaluation and prediction.
 *
 * <pre>{@code
 * InputFunction train =
 *     InputFunction.of(() -> examples("train").shuffle(10_000).repeat().batch(128));
 * InputFunction share =
 *     InputFunction.of(
 *         input -> {
 *           InputContext context = input.inputContext();
 *           return lines.shard(context.numInputPipelines(), context.inputPipelineId()).batch(128);
 *         });
 * }</pre>
 */
@FunctionalInterface
public interface InputFunction {
  /** Builds the input and returns the batch of a step. */
  Batch apply(Ops tf, InputParameters parameters);

  /**
   * Returns an input of a dataset's elements, which are batches; see {@link Batch#of(Ops,
   * Dataset)}. Each session begins the dataset again.
   */
  static InputFunction of(Supplier<? extends Dataset<?>> dataset) {
    return (tf, parameters) -> Batch.of(tf, dataset.get());
  }

  /** Returns an input of a dataset that depends on the mode or the worker. */
  static InputFunction of(Function<InputParameters, ? extends Dataset<?>> dataset) {
    return (tf, parameters) -> Batch.of(tf, dataset.apply(parameters));
  }

  /** Returns an input of batches of serialized {@code Example} messages. */
  static InputFunction ofExamples(FeatureSpec spec, Supplier<Dataset<Output>> serialized) {
    return (tf, parameters) -> {
      Batch batch = Batch.of(tf, serialized.get());
      return batch.withFeatures(spec.parse(tf, batch.features().dense(Batch.ONLY_FEATURE)));
    };
  }

  /**
   * Returns an input of batches of serialized {@code Example} messages.
   *
   * @param label the feature of the spec that is the label
   */
  static InputFunction ofExamples(
      FeatureSpec spec, String label, Supplier<Dataset<Output>> serialized) {
    InputFunction parsed = ofExamples(spec, serialized);
    return (tf, parameters) -> {
      Batch batch = parsed.apply(tf, parameters);
      Features features = batch.features();
      return batch.withFeatures(features.without(label)).withLabels(features.dense(label));
    };
  }
}
