package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import java.util.OptionalLong;

/** Categories that are numbers already. */
final class IdentityColumn extends CategoricalColumn {
  private final long buckets;
  private final OptionalLong defaultValue;

  IdentityColumn(String key, long buckets, OptionalLong defaultValue) {
    super(key);
    requireBuckets(key, buckets);
    if (defaultValue.isPresent()
        && (defaultValue.getAsLong() < 0 || defaultValue.getAsLong() >= buckets)) {
      throw TributaryException.invalidArgument(
          "the default of '%s' must be from 0 to %d, got %d",
          key, buckets - 1, defaultValue.getAsLong());
    }
    this.buckets = buckets;
    this.defaultValue = defaultValue;
  }

  static void requireBuckets(String key, long buckets) {
    if (buckets < 1) {
      throw TributaryException.invalidArgument(
          "column '%s' needs 1 bucket or more, got %d", key, buckets);
    }
  }

  @Override
  public FeatureSpec featureSpec() {
    return varying(name(), DataType.INT64);
  }

  @Override
  long buckets() {
    return buckets;
  }

  @Override
  WeightedIds ids(ColumnInputs inputs) {
    Ops tf = inputs.tf();
    SparseTensor input = inputs.sparse(name(), name());
    if (input.values().type() == DataType.STRING || input.values().type().isFloating()) {
      throw TributaryException.invalidArgument(
          "column '%s' needs integers, got %s", name(), input.values().type().lowerName());
    }
    Output ids = tf.cast(input.values(), DataType.INT64);
    Output tooLow = tf.less(ids, tf.constant(0L));
    Output wrong = tf.logicalOr(tooLow, tf.greaterEqual(ids, tf.constant(buckets)));
    if (defaultValue.isPresent()) {
      Output replacement = tf.math.scale(tf.onesLike(ids), defaultValue.getAsLong());
      return WeightedIds.of(input, tf.where(wrong, replacement, ids));
    }
    String message = String.format("column %s: ids must be from 0 to %d, got", name(), buckets - 1);
    Operation check =
        tf.strings.assertThat(
            tf.equal(tf.sum(tf.cast(wrong, DataType.INT32), 0), tf.constant(0)),
            tf.constant(message),
            ids);
    return WeightedIds.of(input, tf.withControlDependencies(check).identity(ids));
  }
}
