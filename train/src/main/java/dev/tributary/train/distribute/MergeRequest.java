package dev.tributary.train.distribute;

import java.util.List;
import java.util.function.BiFunction;

/** A merge call of one replica: its argument, and the function for all of them. */
record MergeRequest(
    Object argument, BiFunction<CrossReplicaContext, PerReplica<?>, PerReplica<?>> merge) {
  /** Calls the function of the first request with the arguments of all. */
  static List<?> answer(CrossReplicaContext cross, List<MergeRequest> requests) {
    PerReplica<?> arguments = PerReplica.of(requests.stream().map(MergeRequest::argument).toList());
    return requests.get(0).merge().apply(cross, arguments).values();
  }
}
