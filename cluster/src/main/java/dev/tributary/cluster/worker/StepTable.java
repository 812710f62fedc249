package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.RandomIds;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TimeText;
import dev.tributary.error.TributaryException;
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
import java.util.function.Predicate;

/**
 * The steps that this task has heard of and that nobody has cleaned up. Guarded by its own monitor,
 * under which no step is aborted.
 */
final class StepTable {
  private static final int DROPPED_STEPS = 1000;

  private final TransferLog log;
  private final RandomIds ids;
  private final Map<Long, StepRendezvous> steps = new HashMap<>();

  /** Steps that were dropped a while ago: what still comes for them came too late. */
  private final Set<Long> dropped =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
              return size() > DROPPED_STEPS;
            }
          });

  private Optional<RuntimeException> closed = Optional.empty();

  StepTable(TransferLog log, RandomIds ids) {
    this.log = log;
    this.ids = ids;
  }

  /** The rendezvous of a step, made now if nobody has come yet. */
  synchronized StepRendezvous step(long stepId) {
    if (closed.isPresent()) {
      throw closed.get();
    }
    return steps.computeIfAbsent(stepId, id -> new StepRendezvous(id, log, ids));
  }

  /** The rendezvous of a step that begins here; ABORTED if it was dropped before that. */
  synchronized StepRendezvous begin(long stepId) {
    if (dropped.contains(stepId)) {
      throw TributaryException.derived(
          ErrorCode.ABORTED,
          "step " + stepId + " came too late: it was cleaned up, or its first value is too old",
          null);
    }
    return step(stepId);
  }

  /** Gives a step a value that another task has sent unasked. */
  void deliver(long stepId, String key, Optional<Tensor> value) {
    stepUnlessDropped(stepId).ifPresent(step -> step.deliver(key, value.map(Tensor::retain)));
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

  /** Drops the steps of a session that ends. */
  void abortAll(WorkerSession session, RuntimeException reason) {
    removeIf(step -> step.isOf(session)).forEach(step -> step.abort(reason));
  }

  /** Drops all steps, and lets none begin any more. */
  void close(RuntimeException reason) {
    synchronized (this) {
      closed = Optional.of(reason);
    }
    removeIf(step -> true).forEach(step -> step.abort(reason));
  }

  /** What this task's part of a step waits for from other tasks, in words. */
  List<String> waits(long stepId) {
    return find(stepId).stream()
        .flatMap(step -> step.remoteReceives().stream())
        .map(RemoteReceive::toString)
        .toList();
  }

  /**
   * Gives up whatever other tasks have not sent within the limit, and values for steps that have
   * not begun here within as many looks.
   */
  void expire(Duration limit, int looks) {
    dropIf(step -> step.isOrphan(looks))
        .forEach(
            step ->
                step.abort(
                    TributaryException.derived(
                        ErrorCode.ABORTED,
                        "the step did not begin within " + TimeText.of(limit),
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
    steps.forEach(
        (stepId, step) -> {
          if (condition.test(step)) {
            dropped.add(stepId);
          }
        });
    return removeIf(step -> dropped.contains(step.stepId()));
  }

  private synchronized List<StepRendezvous> removeIf(Predicate<StepRendezvous> condition) {
    List<StepRendezvous> removed = new ArrayList<>();
    steps.values().removeIf(step -> condition.test(step) && removed.add(step));
    return removed;
  }
}
