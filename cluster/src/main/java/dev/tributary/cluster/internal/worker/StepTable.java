package dev.tributary.cluster.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * The steps that this task has heard of and that nobody has cleaned up. Guarded by its own monitor,
 * under which no step is aborted.
 */
final class StepTable {
  private static final int DROPPED_STEPS = 1000;

  /** The number of looks at a step that has not begun before it is dropped. */
  private static final int LOOKS = 10;

  private final TransferLog log;
  private final RandomIds ids;
  private final Timer timer;
  private final Duration limit;
  private final Duration unclaimed;
  private final AtomicBoolean looking = new AtomicBoolean();

  @GuardedBy("this")
  private final Map<Long, StepRendezvous> steps = new HashMap<>();

  /** Steps that were dropped a while ago: what still comes for them came too late. */
  @GuardedBy("this")
  private final Set<Long> dropped =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
              return size() > DROPPED_STEPS;
            }
          });

  @GuardedBy("this")
  private Optional<RuntimeException> closed = Optional.empty();

  /**
   * @param limit the longest time that a step waits for a value
   * @param unclaimed the longest time that a value waits for its step to begin
   */
  StepTable(TransferLog log, RandomIds ids, Timer timer, Duration limit, Duration unclaimed) {
    this.log = log;
    this.ids = ids;
    this.timer = timer;
    this.limit = limit;
    this.unclaimed = unclaimed.compareTo(limit) < 0 ? unclaimed : limit;
  }

  /** The rendezvous of a step, made now if nobody has come yet. */
  synchronized StepRendezvous step(long stepId) {
    if (closed.isPresent()) {
      throw closed.get();
    }
    return steps.computeIfAbsent(stepId, id -> new StepRendezvous(id, log, ids, timer));
  }

  /** The rendezvous of a step that somebody begins or asks; ABORTED if it was dropped before. */
  synchronized StepRendezvous begin(long stepId) {
    if (dropped.contains(stepId)) {
      throw TributaryException.derived(
          ErrorCode.ABORTED,
          "step " + stepId + " came too late: it was cleaned up, or its first value is too old",
          null);
    }
    return step(stepId);
  }

  /**
   * Gives a step a value that another task has sent unasked. If the step has not begun and there is
   * no room for such values, it is to fail when it does.
   */
  void deliver(WorkerSession session, long stepId, RendezvousKey key, Optional<Tensor> value) {
    stepUnlessDropped(stepId)
        .ifPresent(
            step -> {
              try {
                step.deliver(session.unclaimed(), key, value);
              } catch (TributaryException e) {
                step.abort(e);
                throw e;
              }
            });
  }

  /** Fails a step that misses a value, now or when it begins. */
  void fail(long stepId, TributaryException reason) {
    stepUnlessDropped(stepId).ifPresent(step -> step.abort(reason));
  }

  /** Forgets a step that has ended well: nobody waits for it any more. */
  void forget(long stepId) {
    remove(stepId);
  }

  /** Drops a step and fails all that still wait for it. */
  void cleanUp(long stepId) {
    drop(stepId)
        .ifPresent(
            step ->
                step.abort(
                    TributaryException.derived(ErrorCode.ABORTED, "Cleanup " + stepId, null)));
  }

  /**
   * Fails all that wait for a step, now and later. One that this task never ran is forgotten, as
   * nobody will clean it up.
   */
  void cancel(long stepId, StepRendezvous step, RuntimeException reason) {
    if (step.isParked()) {
      synchronized (this) {
        steps.remove(stepId, step);
      }
    }
    step.cancel(reason);
  }

  /** Drops the steps of a session that ends, and the values of those that never began. */
  void abortAll(WorkerSession session, RuntimeException reason) {
    removeIf(step -> step.isOf(session) || step.holdsValuesOf(session))
        .forEach(step -> step.abort(reason));
  }

  /** Drops all steps, and lets none begin any more. */
  void close(RuntimeException reason) {
    synchronized (this) {
      closed = Optional.of(reason);
    }
    removeIf(step -> true).forEach(step -> step.abort(reason));
  }

  /** Describes the values that this task's part of a step waits for from other tasks. */
  List<String> waits(long stepId) {
    return find(stepId).stream()
        .flatMap(step -> step.remoteReceives().stream())
        .map(RemoteReceive::toString)
        .toList();
  }

  /**
   * Looks after the transfers of the steps that there are, until there are none. It looks at all of
   * them now and then, since an alarm for each would cost more than most transfers do.
   */
  void watch() {
    if (!looking.get() && looking.compareAndSet(false, true)) {
      timer.every(unclaimed.dividedBy(LOOKS), this::look);
    }
  }

  /** Returns whether there is more to look after. */
  private boolean look() {
    expire();
    if (size() > 0) {
      return true;
    }
    looking.set(false);
    if (size() > 0) {
      watch(); // It came between the two looks.
    }
    return false;
  }

  /**
   * Gives up whatever other tasks have not sent within the limit, and values for steps that have
   * not begun here within {@link #LOOKS} looks.
   */
  private void expire() {
    dropIf(step -> step.isOrphan(LOOKS))
        .forEach(
            step ->
                step.abort(
                    TributaryException.derived(
                        ErrorCode.ABORTED,
                        "the step did not begin within " + TimeText.of(unclaimed),
                        null)));
    all().forEach(step -> step.remoteReceives().forEach(receive -> receive.expire(limit)));
  }

  synchronized int size() {
    return steps.size();
  }

  private synchronized Optional<StepRendezvous> find(long stepId) {
    return Optional.ofNullable(steps.get(stepId));
  }

  private synchronized List<StepRendezvous> all() {
    return List.copyOf(steps.values());
  }

  private synchronized Optional<StepRendezvous> stepUnlessDropped(long stepId) {
    return dropped.contains(stepId) ? Optional.empty() : Optional.of(step(stepId));
  }

  private synchronized Optional<StepRendezvous> drop(long stepId) {
    dropped.add(stepId);
    return remove(stepId);
  }

  private synchronized Optional<StepRendezvous> remove(long stepId) {
    return Optional.ofNullable(steps.remove(stepId));
  }

  private synchronized List<StepRendezvous> dropIf(Predicate<StepRendezvous> condition) {
    List<StepRendezvous> removed = removeIf(condition);
    for (StepRendezvous step : removed) {
      dropped.add(step.stepId());
    }
    return removed;
  }

  private synchronized List<StepRendezvous> removeIf(Predicate<StepRendezvous> condition) {
    List<StepRendezvous> removed = new ArrayList<>();
    steps.values().removeIf(step -> condition.test(step) && removed.add(step));
    return removed;
  }
}
