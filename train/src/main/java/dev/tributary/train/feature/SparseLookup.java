package dev.tributary.train.feature;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.PartitionedVariable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rows of a table for the categories of each example, combined into one: TensorFlow's {@code
 * safe_embedding_lookup_sparse}. Only distinct rows are read from the table, and only these have
 * gradients. An example without categories gets zeros.
 */
record SparseLookup(PartitionedVariable table, Combiner combiner, OptionalDouble maxNorm) {
  /** Returns the combined rows, [batch, row]. */
  Output rows(Ops tf, WeightedIds input) {
    WeightedIds known = known(tf, input);
    Output segments = rowOf(tf, known.ids());
    Output batch = tf.cast(batchSize(tf, known.ids()), DataType.INT32);
    List<Output> unique = tf.array.unique(known.ids().values());
    Output rows = clipped(tf, table.lookup(tf, unique.get(0)));
    return known
        .weights()
        .map(w -> weighted(tf, tf.gather(rows, unique.get(1)), w, segments, batch))
        .orElseGet(() -> plain(tf, rows, unique.get(1), segments, batch));
  }

  /** Leaves out ids below zero and, unless rows are summed, weights that are not positive. */
  private WeightedIds known(Ops tf, WeightedIds input) {
    SparseTensor ids = input.ids();
    Output wanted = tf.greaterEqual(ids.values(), tf.constant(0L));
    if (input.weights().isPresent() && combiner != Combiner.SUM) {
      Output positive = tf.greater(input.weights().get(), tf.constant(0f));
      wanted = tf.logicalAnd(wanted, positive);
    }
    Output places = tf.reshape(tf.where(wanted), -1);
    SparseTensor kept =
        new SparseTensor(
            tf.gather(ids.indices(), places), tf.gather(ids.values(), places), ids.shape());
    Optional<Output> weights = input.weights().map(w -> tf.gather(w, places));
    return new WeightedIds(kept, weights);
  }

  private Output clipped(Ops tf, Output rows) {
    if (maxNorm.isEmpty()) {
      return rows;
    }
    Output most = tf.constant((float) maxNorm.getAsDouble());
    Output norm = tf.sqrt(tf.sum(tf.square(rows), true, 1));
    return tf.mul(rows, tf.div(most, tf.maximum(norm, most)));
  }

  private Output plain(Ops tf, Output rows, Output places, Output segments, Output batch) {
    return switch (combiner) {
      case SUM -> tf.sparse.segmentSum(rows, places, segments, batch);
      case MEAN -> tf.sparse.segmentMean(rows, places, segments, batch);
      case SQRTN -> tf.sparse.segmentSqrtN(rows, places, segments, batch);
    };
  }

  private Output weighted(Ops tf, Output rows, Output weights, Output segments, Output batch) {
    Output column = tf.expandDims(weights, -1);
    Output sum = tf.math.unsortedSegmentSum(tf.mul(rows, column), segments, batch);
    return switch (combiner) {
      case SUM -> sum;
      case MEAN -> tf.math.divNoNan(sum, tf.math.unsortedSegmentSum(column, segments, batch));
      case SQRTN ->
          tf.math.divNoNan(
              sum, tf.sqrt(tf.math.unsortedSegmentSum(tf.square(column), segments, batch)));
    };
  }

  /** The number of the example of each value, as an int32. */
  static Output rowOf(Ops tf, SparseTensor ids) {
    Output first = tf.slice(ids.indices(), new int[] {0, 0}, new int[] {-1, 1});
    return tf.cast(tf.reshape(first, -1), DataType.INT32);
  }

  /** The number of examples, an int64 scalar. */
  static Output batchSize(Ops tf, SparseTensor ids) {
    return tf.reshape(tf.slice(ids.shape(), new int[] {0}, new int[] {1}));
  }
}
