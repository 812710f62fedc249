package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CollectiveLeader;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.collective.CollectiveGroup;
import dev.tributary.internal.collective.CollectiveResolver;
import dev.tributary.internal.collective.GroupRequest;
import dev.tributary.internal.collective.InstanceRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The groups of collectives as one task knows them: asked of the leader once, and again after a
 * failure. Safe for use by many threads.
 */
final class LedCollectives implements CollectiveResolver {
  private static final Duration GRACE = Duration.ofSeconds(2);

  private record GroupOf(int key, String device) {}

  private record InstanceOf(int group, int instance, String device) {}

  /** The terms that a member has agreed on with the others. */
  private record Agreement(InstanceRequest request, int source) {}

  private final TaskName self;
  private final WorkerInterface own;
  private final Supplier<Workers> cluster;
  private final Optional<TaskName> configured;
  private final Map<GroupOf, CollectiveGroup> groups = new ConcurrentHashMap<>();
  private final Map<InstanceOf, Agreement> instances = new ConcurrentHashMap<>();

  /**
   * @param own the task's own worker, which may be the leader
   * @param configured the leader, if it is configured
   */
  LedCollectives(
      TaskName self,
      WorkerInterface own,
      Supplier<Workers> cluster,
      Optional<TaskName> configured) {
    this.self = self;
    this.own = own;
    this.cluster = cluster;
    this.configured = configured;
  }

  @Override
  public CompletableFuture<CollectiveGroup> group(GroupRequest request) {
    GroupOf key = new GroupOf(request.key(), request.member().device());
    CollectiveGroup known = groups.get(key);
    if (known != null && known.members().size() == request.size()) {
      return CompletableFuture.completedFuture(known);
    }
    return leader()
        .completeGroup(request, within(request.limit()).waitingForReady())
        .thenApply(
            group -> {
              groups.put(key, group);
              return group;
            });
  }

  @Override
  public CompletableFuture<Integer> instance(InstanceRequest request) {
    InstanceOf key = new InstanceOf(request.groupKey(), request.instanceKey(), request.device());
    Agreement known = instances.get(key);
    if (known != null && known.request().isSameAs(request)) {
      return CompletableFuture.completedFuture(known.source());
    }
    return leader()
        .completeInstance(request, within(request.limit()))
        .thenApply(
            source -> {
              instances.put(key, new Agreement(request, source));
              return source;
            });
  }

  @Override
  public void forget(int groupKey) {
    groups.keySet().removeIf(group -> group.key() == groupKey);
    instances.keySet().removeIf(instance -> instance.group() == groupKey);
  }

  /** The leader's own limit comes first, as it knows who is missing. */
  private static CallOptions within(Duration limit) {
    return CallOptions.defaults().within(limit.plus(GRACE));
  }

  /** Returns whether this task leads. */
  boolean isLeader() {
    return leaderTask().equals(self);
  }

  private WorkerInterface leader() {
    return isLeader() ? own : cluster.get().worker(leaderTask());
  }

  private TaskName leaderTask() {
    return configured.orElseGet(() -> CollectiveLeader.usual(cluster.get()));
  }
}
