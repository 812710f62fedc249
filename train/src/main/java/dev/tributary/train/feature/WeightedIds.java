package dev.tributary.train.feature;

import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
import java.util.Optional;

/**
 * The categories of each example of a batch.
 *
 * @param ids int64 of shape [batch, ?]; -1 for a value without a category
 * @param weights one float for each id
 */
record WeightedIds(SparseTensor ids, Optional<Output> weights) {
  static WeightedIds of(SparseTensor ids) {
    return new WeightedIds(ids, Optional.empty());
  }

  static WeightedIds of(SparseTensor places, Output ids) {
    return of(new SparseTensor(places.indices(), ids, places.shape()));
  }
}
