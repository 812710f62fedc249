package dev.tributary.train.distribute;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.List;

/**
 * An algorithm that adds up dense values of all replicas and hands the sum to some devices. {@link
 * ReduceOp#MEAN} and sparse gradients are the strategy's work, so a new algorithm is one method:
 *
 * <pre>{@code
 * CrossDeviceOps inTurn =
 *     (tf, values, destinations) -> {
 *       Output sum = values.get(0);
 *       for (Output next : values.subList(1, values.size())) {
 *         sum = tf.add(sum, next);
 *       }
 *       return Collections.nCopies(destinations.size(), sum);
 *     };
 * }</pre>
 */
@FunctionalInterface
public interface CrossDeviceOps {
  /**
   * Adds operations that compute a sum.
   *
   * @param values one for each replica, each on the replica's device
   * @param destinations the devices that want the sum
   * @return the sum for each destination, in their order
   */
  List<Output> sum(Ops tf, List<Output> values, List<String> destinations);

  /**
   * Adds operations that compute several sums. The default is one {@link #sum} for each.
   *
   * @param batch several lists of values as {@link #sum} takes them
   * @return the sums of each list
   */
  default List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> destinations) {
    return batch.stream().map(values -> sum(tf, values, destinations)).toList();
  }
}
