package dev.tributary.train.feature;

import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.VariableScope;
import java.util.Optional;

/**
 * A column of numbered categories. Linear models take it as it is, networks in an {@link
 * FeatureColumns#indicator indicator} or an {@link FeatureColumns#embedding embedding}.
 */
public abstract sealed class CategoricalColumn extends FeatureColumn
    permits BucketizedColumn,
        IdentityColumn,
        VocabularyListColumn,
        VocabularyFileColumn,
        HashBucketColumn,
        WeightedColumn,
        CrossedColumn {
  CategoricalColumn(String name) {
    super(name);
  }

  /** Returns the number of categories. */
  abstract long buckets();

  /** Builds the categories of each example. Called once for a graph's inputs. */
  abstract WeightedIds ids(ColumnInputs inputs);

  @Override
  Optional<Integer> denseSize() {
    return Optional.empty();
  }

  @Override
  Output dense(VariableScope scope, ColumnInputs inputs) {
    throw new IllegalStateException(name() + " has no dense form");
  }

  /** Returns the features of a column that reads one feature of any number of values. */
  static FeatureSpec varying(String key, DataType type) {
    return FeatureSpec.none().withVarying(key, type);
  }
}
