package dev.tributary.internal.collective;

import java.util.concurrent.CompletableFuture;

/**
 * Finds out who takes part in collectives, and whether they agree. Calls return at once; futures
 * fail with a TributaryException. Safe for use by many threads.
 */
public interface CollectiveResolver {
  /** Done when all members have asked for the group. */
  CompletableFuture<CollectiveGroup> group(GroupRequest request);

  /**
   * Done when the members agree, with the rank of a broadcast's source, -1 for other kinds. Members
   * that have agreed before need not agree again.
   */
  CompletableFuture<Integer> instance(InstanceRequest request);

  /** Forgets a group after a failure: a member may have been replaced. */
  default void forget(int groupKey) {}
}
