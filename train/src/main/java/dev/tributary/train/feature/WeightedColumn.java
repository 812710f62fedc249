package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.Optional;

/** The categories of another column, each with a weight from a second feature. */
final class WeightedColumn extends CategoricalColumn {
  private final CategoricalColumn categories;
  private final String weightKey;

  WeightedColumn(CategoricalColumn categories, String weightKey) {
    super(categories.name() + "_weighted_by_" + weightKey);
    if (categories instanceof WeightedColumn) {
      throw TributaryException.invalidArgument("'%s' has weights already", categories.name());
    }
    this.categories = categories;
    this.weightKey = weightKey;
  }

  @Override
  public FeatureSpec featureSpec() {
    return FeatureSpec.of(List.of(categories)).withVarying(weightKey, DataType.FLOAT);
  }

  @Override
  long buckets() {
    return categories.buckets();
  }

  @Override
  WeightedIds ids(ColumnInputs inputs) {
    SparseTensor weights = inputs.sparseWeights(name(), weightKey);
    Output numbers = inputs.tf().cast(weights.values(), DataType.FLOAT);
    return new WeightedIds(inputs.ids(categories).ids(), Optional.of(numbers));
  }
}
