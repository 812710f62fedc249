package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import java.time.Duration;

/**
 * A session of a worker, and the life of the master that opened it. A call only leaves a mark, so
 * that steps need not read a clock; {@link #look} dates it. Marks come from any thread, looks from
 * one at a time.
 */
final class OpenSession {
  private final WorkerSession session;
  private final String masterTask;
  private final long masterIncarnation;
  private volatile boolean isMasterAlive;
  private volatile boolean wasAnswered;
  private volatile long aliveNanos;

  OpenSession(WorkerSession session, CreateWorkerSessionRequest request, long nanos) {
    this.session = session;
    this.masterTask = request.masterTask();
    this.masterIncarnation = request.masterIncarnation();
    this.aliveNanos = nanos;
  }

  WorkerSession session() {
    return session;
  }

  String masterTask() {
    return masterTask;
  }

  boolean isOfEarlierLife(CreateWorkerSessionRequest request) {
    return !masterTask.isEmpty()
        && masterTask.equals(request.masterTask())
        && masterIncarnation != request.masterIncarnation();
  }

  /** Marks a sign of life of the master. */
  void use() {
    if (!isMasterAlive) {
      isMasterAlive = true;
    }
  }

  /** Dates the signs of life since the last look; a step that runs is one. */
  Duration look(long nanos) {
    if (isMasterAlive || session.isBusy()) {
      isMasterAlive = false;
      aliveNanos = nanos;
    }
    return Duration.ofNanos(nanos - aliveNanos);
  }

  /**
   * Returns how long the master may be silent. One that has never answered here may be unable to,
   * and is given the longer time.
   */
  Duration silenceLimit(WorkerOptions options) {
    return wasAnswered ? options.masterLease() : options.idleLimit();
  }

  /**
   * Asks the master's task for its devices, which shows if it still lives the life in which it
   * opened the session.
   */
  void askMaster(Duration limit) {
    if (masterTask.isEmpty()) {
      return;
    }
    session
        .peers()
        .ofDevice(masterTask + "/device:CPU:0")
        .worker()
        .getStatus(CallOptions.defaults().within(limit))
        .thenAccept(
            devices -> {
              wasAnswered = true;
              if (devices.stream().anyMatch(d -> d.getIncarnation() == masterIncarnation)) {
                use();
              }
            });
  }
}
