package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Categories by the hash of a combination of other categories and raw features. */
final class CrossedColumn extends CategoricalColumn {
  private final List<Object> leaves;
  private final long buckets;
  private final OptionalLong hashKey;

  private CrossedColumn(String name, List<Object> leaves, long buckets, OptionalLong hashKey) {
    super(name);
    this.leaves = leaves;
    this.buckets = buckets;
    this.hashKey = hashKey;
  }

  /**
   * @param keys names of features and categorical columns, two or more
   */
  static CrossedColumn of(List<?> keys, long buckets, OptionalLong hashKey) {
    if (keys.size() < 2) {
      throw TributaryException.invalidArgument("a cross needs 2 keys or more, got %s", keys);
    }
    List<Object> leaves = new ArrayList<>();
    keys.forEach(key -> addLeaves(key, leaves));
    String name =
        leaves.stream().map(CrossedColumn::nameOf).sorted().collect(Collectors.joining("_X_"));
    IdentityColumn.requireBuckets(name, buckets);
    return new CrossedColumn(name, List.copyOf(leaves), buckets, hashKey);
  }

  private static void addLeaves(Object key, List<Object> leaves) {
    if (key instanceof CrossedColumn cross) {
      leaves.addAll(cross.leaves);
    } else if (key instanceof String
        || (key instanceof CategoricalColumn && !(key instanceof HashBucketColumn))) {
      leaves.add(key);
    } else {
      throw TributaryException.invalidArgument(
          "a cross takes names of features and categorical columns without hash buckets, got '%s';"
              + " use the name of its feature, which the cross hashes itself",
          key);
    }
  }

  private static String nameOf(Object leaf) {
    return leaf instanceof CategoricalColumn column ? column.name() : (String) leaf;
  }

  @Override
  public FeatureSpec featureSpec() {
    FeatureSpec all = FeatureSpec.none();
    List<FeatureColumn> columns = new ArrayList<>();
    for (Object leaf : leaves) {
      if (leaf instanceof CategoricalColumn column) {
        columns.add(column);
      } else {
        columns.add(new HashBucketColumn((String) leaf, 1, DataType.STRING));
      }
    }
    return columns.isEmpty() ? all : FeatureSpec.of(columns);
  }

  @Override
  long buckets() {
    return buckets;
  }

  /** Bucketized columns are dense inputs of the op, which come after all sparse ones. */
  @Override
  WeightedIds ids(ColumnInputs inputs) {
    List<SparseTensor> sparse = new ArrayList<>();
    List<Output> dense = new ArrayList<>();
    for (Object leaf : leaves) {
      if (leaf instanceof BucketizedColumn bucketized) {
        dense.add(bucketized.denseIds(inputs));
      } else if (leaf instanceof CategoricalColumn column) {
        sparse.add(inputs.ids(column).ids());
      } else {
        sparse.add(raw(inputs, (String) leaf));
      }
    }
    return WeightedIds.of(
        hashKey.isPresent()
            ? inputs.tf().sparse.crossHashed(sparse, dense, buckets, hashKey.getAsLong())
            : inputs.tf().sparse.crossHashed(sparse, dense, buckets));
  }

  private SparseTensor raw(ColumnInputs inputs, String key) {
    SparseTensor feature = inputs.sparse(name(), key);
    DataType type = feature.values().type();
    if (type.isFloating()) {
      throw TributaryException.invalidArgument(
          "column '%s' crosses strings and integers, but feature '%s' is %s; bucketize it",
          name(), key, type.lowerName());
    }
    return type == DataType.STRING || type == DataType.INT64
        ? feature
        : new SparseTensor(
            feature.indices(), inputs.tf().cast(feature.values(), DataType.INT64), feature.shape());
  }
}
