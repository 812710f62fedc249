package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.step.PreparedSteps.PreparedStep;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.RunOptions;

/** The steps that a session's client has made ready. Safe for use by many threads. */
final class Callables {
  private record Callable(
      PreparedStep<RegisteredStep> step,
      List<String> feeds,
      List<String> fetches,
      RunOptions options) {}

  private final SessionSteps steps;
  private final AtomicLong nextHandle = new AtomicLong();
  private final Map<Long, Callable> callables = new ConcurrentHashMap<>();

  Callables(SessionSteps steps) {
    this.steps = steps;
  }

  /** Makes one ready; returns its handle. */
  CompletableFuture<Long> make(CallableOptions options, CallScope scope) {
    if (options.getFeedDevicesCount() > 0 || options.getFetchDevicesCount() > 0) {
      throw TributaryException.unimplemented(
          "a callable on a cluster cannot say on which devices its feeds and fetches are");
    }
    List<String> feeds = List.copyOf(options.getFeedList());
    List<String> fetches = List.copyOf(options.getFetchList());
    return steps.prepare(
        new StepKey(
            feeds, fetches, options.getTargetList(), false, options.getTensorConnectionList()),
        scope,
        step -> add(new Callable(step, feeds, fetches, options.getRunOptions())));
  }

  /** Runs one; feeds and fetches are in the order of its options. */
  CompletableFuture<RunCallableResponse> run(RunCallableRequest request, CallScope scope) {
    long handle = request.callableHandle();
    Callable callable = Optional.ofNullable(callables.get(handle)).orElseThrow(() -> gone(handle));
    List<Tensor> feeds = request.feeds();
    if (feeds.size() != callable.feeds().size()) {
      throw TributaryException.invalidArgument(
          "callable %d takes %d feeds, got %d", handle, callable.feeds().size(), feeds.size());
    }
    List<NamedTensor> named = new ArrayList<>(feeds.size());
    for (int i = 0; i < feeds.size(); i++) {
      named.add(new NamedTensor(callable.feeds().get(i), feeds.get(i)));
    }
    RunStepRequest step =
        new RunStepRequest(
            request.sessionHandle(),
            named,
            callable.fetches(),
            List.of(),
            callable.options(),
            "",
            request.requestId());
    return steps
        .runPrepared(callable.step(), step, scope)
        .thenApply(results -> new RunCallableResponse(results.take(), results.metadata()));
  }

  void release(long handle) {
    Callable callable =
        Optional.ofNullable(callables.remove(handle)).orElseThrow(() -> gone(handle));
    steps.release(callable.step());
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
