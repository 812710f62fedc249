package dev.tributary.train.estimator;

import dev.tributary.ops.Ops;

/**
 * A function that builds a model for one mode, in a graph of its own. It is called for each
 * training, evaluation, prediction and export, by the thread that asks for it.
 *
 * <pre>{@code
 * ModelFunction line =
 *     (tf, batch, context) -> {
 *       VariableScope scope = VariableScope.of(tf);
 *       Output y = Dense.of(1).apply(scope.open("line"), batch.features().dense("x"));
 *       EstimatorSpec spec = EstimatorSpec.of(context.mode()).withPrediction("y", y);
 *       if (context.mode() == ModeKeys.PREDICT) {
 *         return spec;
 *       }
 *       Output loss = Losses.meanSquaredError(batch.labels(), y);
 *       Operation train =
 *           new GradientDescentOptimizer(0.1).minimize(tf, loss, GlobalStep.getOrCreate(tf));
 *       return spec.withLoss(loss).withTrainOp(train);
 *     };
 * }</pre>
 */
@FunctionalInterface
public interface ModelFunction {
  /**
   * Builds the model.
   *
   * @param batch the input; without labels in {@link ModeKeys#PREDICT}
   */
  EstimatorSpec apply(Ops tf, Batch batch, ModelContext context);
}
