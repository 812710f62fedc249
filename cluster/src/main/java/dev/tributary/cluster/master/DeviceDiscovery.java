package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.LastHeard;
import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TimeText;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.DeviceAttributes;

/**
 * Asks tasks for their devices, and waits for those that are not up: logs now and then which ones
 * are missing, and gives up in the end. Guarded by its own monitor.
 */
final class DeviceDiscovery {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceDiscovery.class);

  /** Before a task is asked again that could be reached, but went away. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final MasterEnvironment environment;
  private final Workers workers;
  private final LinkedCancellation cancellation;
  private final long start = System.nanoTime();
  private final TreeSet<TaskName> missing;
  private final Map<TaskName, List<DeviceAttributes>> reported = new TreeMap<>();
  private final CompletableFuture<Map<TaskName, List<DeviceAttributes>>> result =
      new CompletableFuture<>();

  private DeviceDiscovery(
      MasterEnvironment environment,
      Workers workers,
      Collection<TaskName> tasks,
      Cancellation cancellation) {
    this.environment = environment;
    this.workers = workers;
    this.missing = new TreeSet<>(tasks);
    this.cancellation = new LinkedCancellation(cancellation);
  }

  /** What all these tasks say of their devices. */
  static CompletableFuture<Map<TaskName, List<DeviceAttributes>>> ask(
      MasterEnvironment environment,
      Workers workers,
      Collection<TaskName> tasks,
      Cancellation cancellation) {
    DeviceDiscovery discovery = new DeviceDiscovery(environment, workers, tasks, cancellation);
    discovery.start(tasks);
    return discovery.result;
  }

  private void start(Collection<TaskName> tasks) {
    Future<?> alarm =
        TimeLimit.after(
            environment.timer(),
            environment.options().sessionCreationTimeout(),
            () -> result.completeExceptionally(tooLate()));
    logLater();
    Cancellation calls = cancellation.cancellation();
    calls.onCancel(() -> calls.reason().ifPresent(result::completeExceptionally));
    result.whenComplete(
        (devices, thrown) -> {
          alarm.cancel(false);
          cancellation.close();
          calls.cancel(
              TributaryException.derived(
                  ErrorCode.CANCELLED, "nobody waits for the devices any more", thrown));
        });
    List.copyOf(tasks).forEach(this::ask);
  }

  private void ask(TaskName task) {
    CompletableFuture<List<DeviceAttributes>> answer;
    try {
      CallOptions options =
          CallOptions.cancelledBy(cancellation.cancellation())
              .within(environment.options().sessionCreationTimeout())
              .waitingForReady();
      answer = workers.worker(task).getStatus(options);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (devices, thrown) -> {
          if (thrown == null) {
            answered(task, devices);
          } else {
            failed(task, Failures.of(thrown));
          }
        });
  }

  private void answered(TaskName task, List<DeviceAttributes> devices) {
    synchronized (this) {
      reported.put(task, devices);
      missing.remove(task);
      if (!missing.isEmpty()) {
        return;
      }
    }
    result.complete(reported);
  }

  private void failed(TaskName task, TributaryException failure) {
    if (result.isDone()) {
      return;
    }
    if (failure.code() == ErrorCode.UNAVAILABLE) {
      TimeLimit.after(
          environment.timer(), PAUSE, () -> environment.executor().execute(() -> ask(task)));
    } else if (failure.code() == ErrorCode.DEADLINE_EXCEEDED) {
      result.completeExceptionally(tooLate());
    } else {
      result.completeExceptionally(failure.at("GetStatus of " + task));
    }
  }

  private void logLater() {
    Future<?> next =
        TimeLimit.after(environment.timer(), environment.options().waitingLogInterval(), this::log);
    result.whenComplete((devices, thrown) -> next.cancel(false));
  }

  private void log() {
    if (!result.isDone()) {
      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
      LOG.info("{}: waiting since {} s for {}", environment.task(), seconds, missing());
      logLater();
    }
  }

  private TributaryException tooLate() {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        String.format(
            "%s: no answer within %s from %s; start these tasks, leave them out with"
                + " device_filters, or wait longer (TimeLimits.session, --session-timeout)",
            environment.task(),
            TimeText.of(environment.options().sessionCreationTimeout()),
            missing()));
  }

  private String missing() {
    Collection<TaskName> tasks;
    synchronized (this) {
      tasks = List.copyOf(missing);
    }
    return LastHeard.of(workers, tasks);
  }
}
