package dev.tributary.internal.collective;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The table of groups at their leader: lets members wait for each other and compares what they
 * bring. Nobody waits longer than its limit; the error then names who has come. Guarded by its own
 * monitor, under which no future is completed.
 */
public final class CollectiveGroups implements CollectiveResolver {
  /** More come from callers who make up keys. */
  private static final int MOST_GROUPS = 10_000;

  private final Timer timer;

  @GuardedBy("this")
  private final Map<Integer, GroupTable> groups = new HashMap<>();

  public CollectiveGroups(Timer timer) {
    this.timer = timer;
  }

  /**
   * Lets a device become a member. One that comes back with another incarnation has restarted; its
   * group forms again, and members of the old one fail when they meet it.
   */
  @Override
  public CompletableFuture<CollectiveGroup> group(GroupRequest request) {
    if (request.size() < 1) {
      throw TributaryException.invalidArgument(
          "collective group %d: the size must be 1 or more, got %d", request.key(), request.size());
    }
    CompletableFuture<CollectiveGroup> answer = new CompletableFuture<>();
    Runnable settled;
    synchronized (this) {
      GroupTable table = groups.get(request.key());
      if (table == null || table.isReplacedBy(request.member())) {
        Runnable replaced = table == null ? () -> {} : table.fail(request.member());
        requireRoom(request.key());
        table = new GroupTable(request);
        groups.put(request.key(), table);
        Runnable joined = table.join(request, answer);
        settled =
            () -> {
              replaced.run();
              joined.run();
            };
      } else {
        settled = table.join(request, answer);
      }
    }
    settled.run();
    return timer.limit(answer, request.limit(), () -> late(request));
  }

  @Override
  public CompletableFuture<Integer> instance(InstanceRequest request) {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    Runnable settled;
    InstanceTable instance;
    synchronized (this) {
      GroupTable table = groups.get(request.groupKey());
      if (table == null || !table.isComplete()) {
        return CompletableFuture.failedFuture(
            TributaryException.failedPrecondition(
                "instance %d: group %d is not known here",
                request.instanceKey(), request.groupKey()));
      }
      instance = table.instance(request.instanceKey());
      settled = instance.come(request, answer);
    }
    settled.run();
    return timer.limit(answer, request.limit(), () -> late(instance, request));
  }

  @GuardedBy("this")
  private void requireRoom(int key) {
    if (groups.size() >= MOST_GROUPS && !groups.containsKey(key)) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "collective group " + key + ": there are " + MOST_GROUPS + " groups already");
    }
  }

  private synchronized TributaryException late(GroupRequest request) {
    return groups.get(request.key()).late(request.limit());
  }

  private synchronized TributaryException late(InstanceTable instance, InstanceRequest request) {
    return instance.late(request.limit());
  }
}
