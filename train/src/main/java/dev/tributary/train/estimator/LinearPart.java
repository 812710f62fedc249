package dev.tributary.train.estimator;

import dev.tributary.graph.Output;
import dev.tributary.train.feature.Combiner;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.LinearModel;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.VariableScope;
import java.util.List;
import java.util.function.Supplier;

/**
 * The linear model of a ready-made model, with TensorFlow's names of variables. Immutable.
 *
 * @param combiner the way in which several categories of a column are combined
 */
record LinearPart(
    List<FeatureColumn> columns, Combiner combiner, Supplier<? extends Optimizer> optimizer) {
  static final String SCOPE = "linear";

  LinearPart {
    columns = List.copyOf(columns);
  }

  LinearPart withOptimizer(Supplier<? extends Optimizer> newOptimizer) {
    return new LinearPart(columns, combiner, newOptimizer);
  }

  LinearPart withCombiner(Combiner newCombiner) {
    return new LinearPart(columns, newCombiner, optimizer);
  }

  /**
   * @param scope the scope of the model's graph
   */
  Output logits(VariableScope scope, Batch batch, ModelContext context, int units) {
    VariableScope linear =
        scope.open(SCOPE).withPartitioner(DnnPart.inputPartitioner(context.config()));
    return new LinearModel(units, combiner)
        .apply(linear.open("linear_model"), batch.features(), columns);
  }
}
