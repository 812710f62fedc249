package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a session on a worker that did not answer when all others closed it, as soon as it can be
 * reached: one that lives would keep the session's graphs and steps for ever. Nobody waits for
 * this. Immutable.
 */
record LateDeletion(
    MasterEnvironment environment, TaskName task, WorkerInterface worker, String sessionHandle) {
  private static final Logger LOG = LoggerFactory.getLogger(LateDeletion.class);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int ATTEMPTS = 10;

  void start() {
    attempt(1);
  }

  private void attempt(int number) {
    CallOptions options =
        CallOptions.defaults()
            .within(environment.options().sessionCreationTimeout())
            .waitingForReady();
    worker
        .deleteWorkerSession(sessionHandle, options)
        .whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                failed(number, Failures.of(thrown));
              }
            });
  }

  private void failed(int number, TributaryException failure) {
    if (failure.code() == ErrorCode.UNAVAILABLE && number < ATTEMPTS) {
      environment
          .timer()
          .after(PAUSE, () -> environment.executor().execute(() -> attempt(number + 1)));
    } else {
      LOG.warn("session {} may be left on {}: {}", sessionHandle, task, failure.toString());
    }
  }
}
