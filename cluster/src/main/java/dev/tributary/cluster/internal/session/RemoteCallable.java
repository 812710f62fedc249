package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RequestIds;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.session.RunOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.CallableOptions;

/** A step that the master has made ready. Safe for use by many threads. */
final class RemoteCallable implements StepCallable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCallable.class);

  private final RemoteSteps steps;
  private final StepSignature signature;
  private final List<Output> fetches;
  private final List<String> distinctFetches;
  private final long handle;
  private final Duration releaseLimit;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RemoteCallable(
      RemoteSteps steps, StepSignature signature, long handle, Duration releaseLimit) {
    this.steps = steps;
    this.signature = signature;
    this.fetches = signature.fetches();
    this.distinctFetches = RemoteSteps.distinctNames(signature.fetches());
    this.handle = handle;
    this.releaseLimit = releaseLimit;
  }

  static RemoteCallable make(RemoteSteps steps, StepSignature signature, Duration limit) {
    CallableOptions options =
        CallableOptions.newBuilder()
            .addAllFeed(RemoteSteps.names(signature.feeds()))
            .addAllFetch(RemoteSteps.distinctNames(signature.fetches()))
            .addAllTarget(signature.targets().stream().map(Operation::name).toList())
            .build();
    MakeCallableRequest request =
        new MakeCallableRequest(steps.sessionHandle(), options, RequestIds.next());
    long handle = steps.call(limit, call -> steps.master().makeCallable(request, call));
    return new RemoteCallable(steps, signature, handle, limit);
  }

  @Override
  public StepResult run(RunOptions options, Tensor... feeds) {
    if (closed.get()) {
      throw new TributaryException(ErrorCode.CANCELLED, "the callable is closed");
    }
    List<Tensor> values = List.of(feeds);
    if (options.trace() || options.timeout().isPresent()) {
      // The options of a callable are fixed when it is made; those of a step go with its request.
      return steps.start(signature, values, options).await();
    }
    long id = RequestIds.next();
    return steps
        .start(
            signature,
            values,
            options,
            (held, call) ->
                steps
                    .master()
                    .runCallable(
                        new RunCallableRequest(steps.sessionHandle(), handle, held, id), call),
            this::result)
        .await();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      steps
          .master()
          .releaseCallable(
              steps.sessionHandle(), handle, CallOptions.defaults().within(releaseLimit))
          .exceptionally(
              failure -> {
                LOG.debug("a callable was not released", failure);
                return null;
              });
    }
  }

  private StepResult result(RunCallableResponse response) {
    List<Tensor> tensors = response.fetches();
    if (tensors.size() != distinctFetches.size()) {
      tensors.forEach(Tensor::close);
      throw TributaryException.internal(
          "the master was asked for %d tensors and answered %d",
          distinctFetches.size(), tensors.size());
    }
    boolean areDistinct = fetches.size() == distinctFetches.size();
    return new StepResult(fetches, areDistinct ? tensors : repeated(tensors), Optional.empty());
  }

  private List<Tensor> repeated(List<Tensor> tensors) {
    List<NamedTensor> named = new ArrayList<>();
    for (int i = 0; i < distinctFetches.size(); i++) {
      named.add(new NamedTensor(distinctFetches.get(i), tensors.get(i)));
    }
    return FetchedTensors.inOrder(RemoteSteps.names(fetches), named);
  }
}
