package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.VariableScope;
import java.util.Optional;

/** The bucket of each number of a numeric column. Both a categorical column and a dense one. */
final class BucketizedColumn extends CategoricalColumn {
  private final NumericColumn source;
  private final float[] boundaries;

  BucketizedColumn(NumericColumn source, float[] boundaries) {
    super(source.name() + "_bucketized");
    if (source.shape().rank() > 1) {
      throw TributaryException.invalidArgument(
          "only a numeric column of one dimension can be bucketized, '%s' has shape %s",
          source.name(), source.shape());
    }
    if (boundaries.length == 0) {
      throw TributaryException.invalidArgument("'%s' needs boundaries of its buckets", name());
    }
    for (int i = 1; i < boundaries.length; i++) {
      if (!(boundaries[i - 1] < boundaries[i])) {
        throw TributaryException.invalidArgument(
            "the boundaries of '%s' must rise, got %s before %s",
            name(), boundaries[i - 1], boundaries[i]);
      }
    }
    this.source = source;
    this.boundaries = boundaries.clone();
  }

  @Override
  public FeatureSpec featureSpec() {
    return source.featureSpec();
  }

  private int dimension() {
    return (int) source.shape().elementCount();
  }

  @Override
  long buckets() {
    return (boundaries.length + 1L) * dimension();
  }

  @Override
  Optional<Integer> denseSize() {
    return Optional.of((int) buckets());
  }

  /** The number of the bucket of each value, [batch, dimension]. */
  private Output bucketOf(ColumnInputs inputs) {
    return inputs.tf().math.bucketize(source.values(inputs), boundaries);
  }

  @Override
  Output dense(VariableScope scope, ColumnInputs inputs) {
    Ops tf = inputs.tf();
    return tf.reshape(tf.oneHot(bucketOf(inputs), boundaries.length + 1), -1, buckets());
  }

  /** Buckets of the second dimension are numbered after those of the first, and so on. */
  @Override
  WeightedIds ids(ColumnInputs inputs) {
    Ops tf = inputs.tf();
    Output buckets = bucketOf(inputs);
    long[] firstIds = new long[dimension()];
    for (int i = 0; i < firstIds.length; i++) {
      firstIds[i] = i * (boundaries.length + 1L);
    }
    Output ids = tf.add(tf.cast(buckets, DataType.INT64), tf.constant(firstIds));
    Output everywhere = tf.where(tf.greaterEqual(buckets, tf.constant(buckets.type(), 0)));
    Output shape = tf.cast(tf.shape(buckets), DataType.INT64);
    return WeightedIds.of(new SparseTensor(everywhere, tf.reshape(ids, -1), shape));
  }

  /** The ids as a dense matrix, as crosses take them. */
  Output denseIds(ColumnInputs inputs) {
    return inputs.tf().reshape(ids(inputs).ids().values(), -1, dimension());
  }
}
