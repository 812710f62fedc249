package dev.tributary.internal.collective;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.kernel.CollectiveKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * An instance of a collective at the leader of its group: what its members agreed on last, and
 * those who have come since with something else. When all have, that is agreed. Guarded by its
 * {@link CollectiveGroups}; what follows from a change is returned, to be run outside of the guard.
 */
final class InstanceTable {
  private record Arrival(InstanceRequest request, CompletableFuture<Integer> answer) {}

  private final int key;
  private final CollectiveGroup group;
  private final Map<String, Arrival> arrivals = new LinkedHashMap<>();

  /** By device; empty until all members have come once. */
  private Map<String, InstanceRequest> agreed = Map.of();

  private int source = -1;

  InstanceTable(int key, CollectiveGroup group) {
    this.key = key;
    this.group = group;
  }

  Runnable come(InstanceRequest request, CompletableFuture<Integer> answer) {
    group.rank(request.device()); // Only to refuse strangers.
    InstanceRequest known = agreed.get(request.device());
    if (known != null && known.isSameAs(request)) {
      int rank = source;
      return () -> answer.complete(rank);
    }
    arrivals.values().removeIf(arrival -> arrival.answer().isDone());
    Arrival other = arrivals.values().stream().findFirst().orElse(null);
    if (other != null && !other.request().agreesWith(request)) {
      return failAll(answer, disagreement(other.request(), request));
    }
    Arrival earlier = arrivals.put(request.device(), new Arrival(request, answer));
    Runnable superseded =
        earlier == null
            ? () -> {}
            : () ->
                earlier
                    .answer()
                    .completeExceptionally(
                        TributaryException.failedPrecondition(
                            "instance %d of group %d was begun again by %s",
                            key, group.key(), request.device()));
    Runnable next = arrivals.size() < group.size() ? () -> {} : agree();
    return () -> {
      superseded.run();
      next.run();
    };
  }

  TributaryException late(Duration limit) {
    List<String> missing =
        IntStream.range(0, group.size())
            .filter(rank -> !arrivals.containsKey(group.members().get(rank).device()))
            .mapToObj(group::describe)
            .toList();
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        String.format(
            "instance %d of group %d did not begin within %s: %s did not come; check that all"
                + " members run the same collectives in the same order",
            key, group.key(), TimeText.of(limit), String.join(", ", missing)));
  }

  private Runnable agree() {
    List<Arrival> all = List.copyOf(arrivals.values());
    arrivals.clear();
    if (all.get(0).request().kind() == CollectiveKind.BROADCAST) {
      List<Arrival> sources = all.stream().filter(a -> a.request().isSource()).toList();
      if (sources.size() != 1) {
        TributaryException reason =
            TributaryException.internal(
                "the broadcast of instance %d in group %d has %d sources %s, wanted one",
                key,
                group.key(),
                sources.size(),
                sources.stream().map(a -> a.request().device()).toList());
        return () -> all.forEach(arrival -> arrival.answer().completeExceptionally(reason));
      }
      source = group.rank(sources.get(0).request().device());
    }
    Map<String, InstanceRequest> now = new HashMap<>();
    all.forEach(arrival -> now.put(arrival.request().device(), arrival.request()));
    agreed = now;
    int rank = source;
    return () -> all.forEach(arrival -> arrival.answer().complete(rank));
  }

  private Runnable failAll(CompletableFuture<Integer> answer, TributaryException reason) {
    List<Arrival> all = List.copyOf(arrivals.values());
    arrivals.clear();
    return () -> {
      all.forEach(arrival -> arrival.answer().completeExceptionally(reason));
      answer.completeExceptionally(reason);
    };
  }

  private TributaryException disagreement(InstanceRequest first, InstanceRequest second) {
    boolean sameKind = first.kind() == second.kind() && first.type() == second.type();
    return new TributaryException(
        sameKind ? ErrorCode.INVALID_ARGUMENT : ErrorCode.INTERNAL,
        String.format(
            "members of group %d disagree on instance %d: rank %d wants %s, rank %d wants %s",
            group.key(),
            key,
            group.rank(first.device()),
            first.describe(),
            group.rank(second.device()),
            second.describe()));
  }
}
