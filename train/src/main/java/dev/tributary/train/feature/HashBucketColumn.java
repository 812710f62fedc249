package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;

/** Categories by the hash of a string, or of the decimal text of an integer. */
final class HashBucketColumn extends CategoricalColumn {
  private final long buckets;
  private final DataType type;

  HashBucketColumn(String key, long buckets, DataType type) {
    super(key);
    IdentityColumn.requireBuckets(key, buckets);
    if (type != DataType.STRING && type.isFloating()) {
      throw TributaryException.invalidArgument(
          "column '%s' hashes strings or integers, got %s", key, type.lowerName());
    }
    this.buckets = buckets;
    this.type = type;
  }

  @Override
  public FeatureSpec featureSpec() {
    return varying(name(), type);
  }

  @Override
  long buckets() {
    return buckets;
  }

  @Override
  WeightedIds ids(ColumnInputs inputs) {
    Ops tf = inputs.tf();
    SparseTensor input = inputs.sparse(name(), name());
    DataType got = input.values().type();
    if ((got == DataType.STRING) != (type == DataType.STRING) || got.isFloating()) {
      throw TributaryException.invalidArgument(
          "column '%s' hashes %s, got %s", name(), type.lowerName(), got.lowerName());
    }
    Output text = got == DataType.STRING ? input.values() : tf.strings.asString(input.values());
    return WeightedIds.of(input, tf.strings.toHashBucket(text, buckets));
  }
}
