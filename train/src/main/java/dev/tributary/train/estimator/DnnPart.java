package dev.tributary.train.estimator;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.InputLayer;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.BatchNormalization;
import dev.tributary.train.model.Dropout;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.List;
import java.util.function.Supplier;

/**
 * The network of a ready-made model, with TensorFlow's names of variables: an input layer, hidden
 * layers and logits. Immutable.
 *
 * @param dropout the share of a hidden layer's units that each training step ignores
 */
record DnnPart(
    List<FeatureColumn> columns,
    HiddenUnits hiddenUnits,
    Activation activation,
    double dropout,
    boolean batchNorm,
    Supplier<? extends Optimizer> optimizer) {
  static final String SCOPE = "dnn";

  private static final long INPUT_SLICE_BYTES = 64L << 20;
  private static final long HIDDEN_SLICE_BYTES = 256L << 10;

  DnnPart {
    columns = List.copyOf(columns);
  }

  DnnPart withOptimizer(Supplier<? extends Optimizer> newOptimizer) {
    return new DnnPart(columns, hiddenUnits, activation, dropout, batchNorm, newOptimizer);
  }

  DnnPart withActivation(Activation newActivation) {
    return new DnnPart(columns, hiddenUnits, newActivation, dropout, batchNorm, optimizer);
  }

  DnnPart withDropout(double share) {
    return new DnnPart(columns, hiddenUnits, activation, share, batchNorm, optimizer);
  }

  DnnPart withBatchNorm() {
    return new DnnPart(columns, hiddenUnits, activation, dropout, true, optimizer);
  }

  /** Returns a partitioner for input layers: a part for each parameter server, but none small. */
  static Partitioner inputPartitioner(RunConfig config) {
    return Partitioner.minMax(parts(config), 0, INPUT_SLICE_BYTES);
  }

  private static int parts(RunConfig config) {
    return Math.max(1, config.task().parameterServers());
  }

  /**
   * @param scope the scope of the model's graph
   */
  Output logits(VariableScope scope, Batch batch, ModelContext context, int units) {
    VariableScope dnn =
        scope
            .open(SCOPE)
            .withPartitioner(Partitioner.minMax(parts(context.config()), 0, HIDDEN_SLICE_BYTES));
    VariableScope input =
        dnn.open("input_from_feature_columns").withPartitioner(inputPartitioner(context.config()));
    Output layer = InputLayer.of(input.open("input_layer"), batch.features(), columns);
    for (int i = 0; i < hiddenUnits.sizes().size(); i++) {
      layer = hidden(dnn.open("hiddenlayer_" + i), i, layer, context.mode());
    }
    VariableScope last = dnn.open("logits");
    return summarized(last.tf(), dense(last, layer, units));
  }

  private Output hidden(VariableScope scope, int i, Output input, ModeKeys mode) {
    boolean training = mode == ModeKeys.TRAIN;
    Output layer = activation.apply(scope.tf(), dense(scope, input, hiddenUnits.sizes().get(i)));
    if (dropout > 0) {
      layer = new Dropout(dropout, training).apply(scope, layer);
    }
    if (batchNorm) {
      VariableScope inner = scope.open("batchnorm_" + i);
      layer = new BatchNormalization(training, 0.999, 1e-3).apply(inner, layer);
    }
    return summarized(scope.tf(), layer);
  }

  private static Output dense(VariableScope scope, Output input, int units) {
    Ops tf = scope.tf();
    Shape shape = Shape.of(input.shape().size(1), units);
    Output kernel = scope.getPartitionedVariable(VariableSpec.of("kernel", shape)).value(tf);
    VariableSpec bias =
        VariableSpec.of("bias", Shape.of(units)).withInitializer(Initializers.zeros());
    return tf.biasAdd(tf.matMul(input, kernel), scope.getPartitionedVariable(bias).value(tf));
  }

  private static Output summarized(Ops tf, Output layer) {
    Output isZero = tf.cast(tf.equal(layer, tf.constant(0f)), layer.type());
    Summaries.scalar(tf, "fraction_of_zero_values", tf.mean(isZero, 0, 1));
    Summaries.histogram(tf, "activation", layer);
    return layer;
  }
}
