package dev.tributary.train.optimizer;

import dev.tributary.graph.GradientValue;
import dev.tributary.ops.Ops;
import dev.tributary.train.distribute.PerReplica;
import dev.tributary.train.distribute.ReplicaContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Sums of gradients over the replicas of a distribution strategy, for programs that change
 * gradients before they are applied:
 *
 * <pre>{@code
 * List<GradientAndVariable> sums = GradientAggregation.sum(tf, optimizer.computeGradients(tf, loss));
 * List<GradientAndVariable> clipped = GradientClipping.byGlobalNorm(tf, sums, 5);
 * optimizer.applyAggregatedGradients(tf, clipped, Optional.of(globalStep));
 * }</pre>
 */
public final class GradientAggregation {
  private GradientAggregation() {}

  /** Returns the sum over all replicas of each gradient; without a strategy the gradients. */
  public static List<GradientAndVariable> sum(Ops tf, List<GradientAndVariable> gradients) {
    Optional<ReplicaContext> replica = ReplicaContext.current(tf.graph());
    if (replica.isEmpty()) {
      return gradients;
    }
    List<GradientValue> own = gradients.stream().map(GradientAndVariable::gradient).toList();
    List<GradientValue> sums =
        replica
            .get()
            .mergeCall(
                own,
                (cross, all) -> {
                  List<List<GradientValue>> merged = cross.sumGradients(byVariable(all));
                  return PerReplica.of(byReplica(merged, all.size()));
                });
    return IntStream.range(0, sums.size())
        .mapToObj(i -> gradients.get(i).withGradient(sums.get(i)))
        .toList();
  }

  private static List<List<GradientValue>> byVariable(PerReplica<List<GradientValue>> all) {
    List<List<GradientValue>> byVariable = new ArrayList<>();
    for (int i = 0; i < all.first().size(); i++) {
      int variable = i;
      byVariable.add(all.values().stream().map(one -> one.get(variable)).toList());
    }
    return byVariable;
  }

  /** Replicas that share one copy of the variables share its gradient, too. */
  private static List<List<GradientValue>> byReplica(
      List<List<GradientValue>> merged, int replicas) {
    List<List<GradientValue>> byReplica = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      int replica = i;
      byReplica.add(
          merged.stream().map(all -> all.get(Math.min(replica, all.size() - 1))).toList());
    }
    return byReplica;
  }
}
