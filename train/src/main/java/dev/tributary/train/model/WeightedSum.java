package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.Optional;
import java.util.stream.IntStream;

/** Losses of a batch that become one. */
record WeightedSum(Ops tf, Output losses, Optional<Output> weights, Output weighted) {
  Output reduced(LossOptions.Reduction reduction) {
    return switch (reduction) {
      case NONE -> weighted;
      case SUM -> sum(weighted);
      case MEAN -> tf.math.divNoNan(sum(weighted), totalWeight());
      case SUM_OVER_BATCH_SIZE -> tf.math.divNoNan(sum(weighted), count());
      case SUM_BY_NONZERO_WEIGHTS -> tf.math.divNoNan(sum(weighted), present());
    };
  }

  private Output count() {
    return tf.cast(tf.size(losses), losses.type());
  }

  private Output totalWeight() {
    return weights.isPresent() ? sum(spread(weights.get())) : count();
  }

  private Output present() {
    return weights
        .map(w -> tf.notEqual(w, tf.constant(w.type(), 0)))
        .map(present -> sum(spread(present)))
        .orElseGet(this::count);
  }

  /** One number for each loss. */
  private Output spread(Operand perWeight) {
    Output numbers = tf.cast(perWeight, losses.type());
    return tf.mul(numbers, tf.onesLike(losses));
  }

  private Output sum(Operand x) {
    return x.asOutput().shape().hasRank()
        ? tf.sum(x, IntStream.range(0, x.asOutput().shape().rank()).toArray())
        : tf.sum(tf.reshape(x, -1), 0);
  }
}
