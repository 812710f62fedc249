package dev.tributary.internal.collective;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A group while its members come together, and afterwards. Guarded by its {@link CollectiveGroups};
 * what follows from a change is returned, to be run outside of the guard.
 */
final class GroupTable {
  private static final int MOST_INSTANCES = 100_000;

  private final GroupRequest first;
  private final Map<String, CollectiveMember> members = new LinkedHashMap<>();
  private final List<CompletableFuture<CollectiveGroup>> waiting = new ArrayList<>();
  private final Map<Integer, InstanceTable> instances = new HashMap<>();
  private CollectiveGroup complete;

  GroupTable(GroupRequest first) {
    this.first = first;
  }

  boolean isComplete() {
    return complete != null;
  }

  /** Returns whether a device that has restarted asks to be a member again. */
  boolean isReplacedBy(CollectiveMember member) {
    CollectiveMember known = members.get(member.device());
    return known != null && known.incarnation() != member.incarnation();
  }

  Runnable join(GroupRequest request, CompletableFuture<CollectiveGroup> answer) {
    if (request.size() != first.size() || !request.deviceType().equals(first.deviceType())) {
      return fail(
          answer,
          TributaryException.internal(
              "collective group %d has %d members of type %s, as %s says, but %s says %d of type"
                  + " %s",
              first.key(),
              first.size(),
              first.deviceType(),
              first.member().device(),
              request.member().device(),
              request.size(),
              request.deviceType()));
    }
    boolean isNew = !members.containsKey(request.member().device());
    if (isNew && members.size() == first.size()) {
      return fail(
          answer,
          TributaryException.internal(
              "collective group %d is full: %s is not one of its %d members %s",
              first.key(), request.member().device(), first.size(), members.keySet()));
    }
    members.put(request.member().device(), request.member());
    waiting.add(answer);
    return members.size() < first.size() ? () -> {} : completed();
  }

  /** Fails those who wait for a group of which a member has restarted. */
  Runnable fail(CollectiveMember restarted) {
    TributaryException reason =
        TributaryException.failedPrecondition(
            "collective group %d forms again, since %s has restarted",
            first.key(), restarted.device());
    List<CompletableFuture<CollectiveGroup>> left = List.copyOf(waiting);
    waiting.clear();
    return () -> left.forEach(answer -> answer.completeExceptionally(reason));
  }

  InstanceTable instance(int key) {
    if (instances.size() >= MOST_INSTANCES && !instances.containsKey(key)) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "collective group %d has %d instances already: use their keys again in later steps",
              first.key(), MOST_INSTANCES));
    }
    return instances.computeIfAbsent(key, k -> new InstanceTable(k, complete));
  }

  TributaryException late(Duration limit) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        String.format(
            "collective group %d: %d of %d members came within %s, which are %s; check that all"
                + " devices of the group run the same collectives",
            first.key(), members.size(), first.size(), TimeText.of(limit), members.keySet()));
  }

  private Runnable completed() {
    complete = complete != null ? complete : CollectiveGroup.of(first.key(), members.values());
    CollectiveGroup group = complete;
    List<CompletableFuture<CollectiveGroup>> all = List.copyOf(waiting);
    waiting.clear();
    return () -> all.forEach(answer -> answer.complete(group));
  }

  private static Runnable fail(
      CompletableFuture<CollectiveGroup> answer, TributaryException reason) {
    return () -> answer.completeExceptionally(reason);
  }
}
