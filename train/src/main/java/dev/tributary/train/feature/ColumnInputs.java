package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.HashMap;
import java.util.Map;

/**
 * The features that the columns of one layer read, and their categories, each built once. Confined
 * to the thread that builds the graph.
 */
final class ColumnInputs {
  private final Ops tf;
  private final Features features;
  private final Map<String, WeightedIds> ids = new HashMap<>();

  ColumnInputs(Ops tf, Features features) {
    this.tf = tf;
    this.features = features;
  }

  Ops tf() {
    return tf;
  }

  /** Returns a feature as a dense tensor of two dimensions or more. */
  Output dense(String column, String key) {
    if (features.isSparse(key)) {
      throw TributaryException.invalidArgument(
          "column '%s' needs a dense feature '%s', got a sparse one", column, key);
    }
    Output feature = features.dense(key);
    Shape shape = feature.shape();
    if (shape.hasRank() && shape.rank() == 0) {
      throw TributaryException.invalidArgument(
          "column '%s': feature '%s' is a scalar, wanted a batch", column, key);
    }
    return shape.hasRank() && shape.rank() == 1 ? tf.expandDims(feature, -1) : feature;
  }

  /** Returns a feature as a sparse matrix; values that stand for nothing are left out. */
  SparseTensor sparse(String column, String key) {
    if (features.isSparse(key)) {
      return features.sparse(key);
    }
    Output dense = dense(column, key);
    Output nothing =
        dense.type() == DataType.STRING ? tf.constant("") : tf.constant(dense.type(), -1);
    return kept(dense, nothing);
  }

  /** Returns a weight feature as a sparse matrix without its zeros. */
  SparseTensor sparseWeights(String column, String key) {
    if (features.isSparse(key)) {
      return features.sparse(key);
    }
    Output dense = dense(column, key);
    return kept(dense, tf.constant(dense.type(), 0));
  }

  private SparseTensor kept(Output dense, Output nothing) {
    Output indices = tf.where(tf.notEqual(dense, nothing));
    Output shape = tf.cast(tf.shape(dense), DataType.INT64);
    return new SparseTensor(indices, tf.array.gatherNd(dense, indices), shape);
  }

  /** Returns the categories of a column, built at the first call. */
  WeightedIds ids(CategoricalColumn column) {
    WeightedIds found = ids.get(column.name());
    if (found == null) {
      found = column.ids(this);
      ids.put(column.name(), found);
    }
    return found;
  }
}
