package dev.tributary.train.replica;

import java.time.Duration;

/**
 * The longest waits of synchronous training. Immutable.
 *
 * @param step the time that a step of the model may take
 * @param end the time that a chief waits at its end for workers that have not left
 * @param absentChief the time that a worker waits for the next chief if the last one had ended
 *     training before the worker began
 */
record SyncLimits(Duration step, Duration end, Duration absentChief) {
  static SyncLimits defaults() {
    return new SyncLimits(Duration.ofMinutes(10), Duration.ofSeconds(30), Duration.ofSeconds(30));
  }

  SyncLimits withStep(Duration limit) {
    return new SyncLimits(limit, end, absentChief);
  }

  SyncLimits withEnd(Duration limit) {
    return new SyncLimits(step, limit, absentChief);
  }
}
