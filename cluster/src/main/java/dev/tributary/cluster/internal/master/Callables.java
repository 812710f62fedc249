package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.PartialRun;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.step.PreparedStep;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.RunningSteps;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.tensorflow.proto.CallableOptions;

/** The kinds of steps that a session's client has made ready. Safe for use by many threads. */
final class Callables {
  private record Callable(PreparedStep<RegisteredStep> step, CallableOptions options) {}

  private final MasterEnvironment environment;
  private final RunningSteps running;
  private final PreparedSteps<StepKey, RegisteredStep> prepared;
  private final SessionSteps steps;
  private final AtomicLong nextHandle = new AtomicLong();
  private final Map<Long, Callable> callables = new ConcurrentHashMap<>();

  Callables(
      MasterEnvironment environment,
      RunningSteps running,
      PreparedSteps<StepKey, RegisteredStep> prepared,
      SessionSteps steps) {
    this.environment = environment;
    this.running = running;
    this.prepared = prepared;
    this.steps = steps;
  }

  /** Makes one ready; gives its handle. */
  CompletableFuture<Long> make(CallableOptions options, Cancellation caller) {
    if (options.getFeedDevicesCount() > 0 || options.getFetchDevicesCount() > 0) {
      throw TributaryException.unimplemented(
          "a callable on a cluster cannot say on which devices its feeds and fetches are");
    }
    Optional<Duration> limit = Optional.of(environment.options().callTimeout());
    StepScope scope = new StepScope(running, limit, environment.timer(), caller);
    PreparedStep<RegisteredStep> step =
        prepared.acquire(
            new StepKey(
                options.getFeedList(),
                options.getFetchList(),
                options.getTargetList(),
                false,
                options.getTensorConnectionList()));
    return scope
        .awaiting(step.step())
        .thenApply(registered -> add(new Callable(step, options)))
        .whenComplete(
            (handle, thrown) -> {
              scope.close();
              if (thrown != null) {
                prepared.release(step);
              }
            });
  }

  /** Runs one; feeds and fetches are in the order of its options. */
  CompletableFuture<RunCallableResponse> run(long handle, List<Tensor> feeds, Cancellation caller) {
    Callable callable = Optional.ofNullable(callables.get(handle)).orElseThrow(() -> gone(handle));
    CallableOptions options = callable.options();
    if (feeds.size() != options.getFeedCount()) {
      throw TributaryException.invalidArgument(
          "callable %d takes %d feeds, got %d", handle, options.getFeedCount(), feeds.size());
    }
    List<NamedTensor> named = new ArrayList<>();
    for (int i = 0; i < feeds.size(); i++) {
      named.add(new NamedTensor(options.getFeed(i), feeds.get(i)));
    }
    StepRequest request =
        new StepRequest(named, options.getFetchList(), PartialRun.NONE, options.getRunOptions());
    return steps
        .run(callable.step(), request, caller)
        .thenApply(results -> new RunCallableResponse(results.take(), results.metadata()));
  }

  void release(long handle) {
    Callable callable =
        Optional.ofNullable(callables.remove(handle)).orElseThrow(() -> gone(handle));
    prepared.release(callable.step());
  }

  private long add(Callable callable) {
    long handle = nextHandle.getAndIncrement();
    callables.put(handle, callable);
    return handle;
  }

  private TributaryException gone(long handle) {
    return handle >= 0 && handle < nextHandle.get()
        ? TributaryException.invalidArgument(
            "Attempted to run callable after handle was released: %d", handle)
        : TributaryException.invalidArgument("No such callable handle: %d", handle);
  }
}
