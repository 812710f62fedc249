package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.LastHeard;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
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
  private final Cancellation caller;
  private final Cancellation calls = new Cancellation();
  private final long start;

  @GuardedBy("this")
  private final TreeSet<TaskName> missing;

  @GuardedBy("this")
  private final Map<TaskName, List<DeviceAttributes>> reported = new TreeMap<>();

  private final CompletableFuture<Map<TaskName, List<DeviceAttributes>>> result =
      new CompletableFuture<>();

  private DeviceDiscovery(
      MasterEnvironment environment,
      Workers workers,
      Collection<TaskName> tasks,
      Cancellation caller) {
    this.environment = environment;
    this.workers = workers;
    this.missing = new TreeSet<>(tasks);
    this.caller = caller;
    this.start = environment.timer().nanos();
  }

  /** Returns the devices that all these tasks report. */
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
    CallScope scope =
        new CallScope(environment.timer(), result::completeExceptionally).follow(caller);
    scope.after(
        environment.options().sessionCreationTimeout(),
        () -> result.completeExceptionally(tooLate()));
    Timer.Alarm log =
        environment.timer().every(environment.options().waitingLogInterval(), this::log);
    result.whenComplete(
        (devices, thrown) -> {
          scope.close();
          log.cancel();
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
          CallOptions.cancelledBy(calls)
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
    Map<TaskName, List<DeviceAttributes>> all;
    synchronized (this) {
      reported.put(task, devices);
      missing.remove(task);
      if (!missing.isEmpty()) {
        return;
      }
      all = reported;
    }
    result.complete(all);
  }

  private void failed(TaskName task, TributaryException failure) {
    if (result.isDone()) {
      return;
    }
    if (failure.code() == ErrorCode.UNAVAILABLE) {
      environment.timer().after(PAUSE, () -> environment.executor().execute(() -> ask(task)));
    } else if (failure.code() == ErrorCode.DEADLINE_EXCEEDED) {
      result.completeExceptionally(tooLate());
    } else {
      result.completeExceptionally(failure.at("GetStatus of " + task));
    }
  }

  /** Returns whether somebody still waits. */
  private boolean log() {
    boolean waits = !result.isDone();
    if (waits) {
      long seconds = environment.timer().since(start).toSeconds();
      LOG.info("{}: waiting since {} s for {}", environment.task(), seconds, missing());
    }
    return waits;
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
