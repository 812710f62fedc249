package dev.tributary.train.feature;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.VariableScope;
import java.util.List;
import java.util.Optional;

/** The number of times, or the total weight, with which each example has each category. */
final class IndicatorColumn extends FeatureColumn {
  private final CategoricalColumn categories;

  IndicatorColumn(CategoricalColumn categories) {
    super(categories.name() + "_indicator");
    this.categories = categories;
  }

  @Override
  public FeatureSpec featureSpec() {
    return FeatureSpec.of(List.of(categories));
  }

  @Override
  Optional<Integer> denseSize() {
    return Optional.of((int) categories.buckets());
  }

  /** Ids of -1 have no one in their row of the one-hot matrix. */
  @Override
  Output dense(VariableScope scope, ColumnInputs inputs) {
    Ops tf = inputs.tf().withSubScope(scopeName());
    WeightedIds found = inputs.ids(categories);
    Output hot = tf.oneHot(found.ids().values(), (int) categories.buckets());
    Output rows =
        found.weights().map(weights -> tf.mul(hot, tf.expandDims(weights, -1))).orElse(hot);
    return tf.math.unsortedSegmentSum(
        rows,
        SparseLookup.rowOf(tf, found.ids()),
        tf.cast(SparseLookup.batchSize(tf, found.ids()), DataType.INT32));
  }
}
