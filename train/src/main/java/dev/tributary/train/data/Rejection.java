package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.Arrays;
import java.util.function.BiFunction;

/** Leaves out elements at random, each with the probability of its class. */
final class Rejection {
  /** Random datasets give numbers below this. */
  private static final double NUMBERS = 0x1p32;

  private Rejection() {}

  static <E> Dataset<E> of(
      Dataset<E> dataset,
      BiFunction<Ops, E, ? extends Operand> classOf,
      double[] target,
      double[] initial,
      long seed) {
    long[] limits = limits(target, initial);
    return DatasetSources.zip(dataset, DatasetSources.random(seed))
        .filter(
            (tf, pair) -> {
              Output number = tf.cast(classOf.apply(tf, pair.first()), DataType.INT64);
              return tf.less(pair.second(), tf.gather(tf.constant(limits), number));
            })
        .map((tf, pair) -> pair.first());
  }

  /** An element stays if the number drawn for it is below the limit of its class. */
  private static long[] limits(double[] target, double[] initial) {
    if (target.length == 0 || target.length != initial.length) {
      throw TributaryException.invalidArgument(
          "Dataset rejectionResample: %d parts of classes wanted and %d given: give one of each for"
              + " each class",
          target.length, initial.length);
    }
    double[] ratios = new double[target.length];
    for (int i = 0; i < ratios.length; i++) {
      boolean isPossible = target[i] >= 0 && (initial[i] > 0 || target[i] == 0);
      if (!isPossible) {
        throw TributaryException.invalidArgument(
            "Dataset rejectionResample: class %d has the part %s and shall have %s: parts are 0 or"
                + " more, and a class that is wanted must be there",
            i, initial[i], target[i]);
      }
      ratios[i] = target[i] == 0 ? 0 : target[i] / initial[i];
    }
    double most = Arrays.stream(ratios).max().orElseThrow();
    return Arrays.stream(ratios).mapToLong(ratio -> Math.round(ratio / most * NUMBERS)).toArray();
  }
}
