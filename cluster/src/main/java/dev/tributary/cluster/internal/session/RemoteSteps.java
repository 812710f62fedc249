package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RequestIds;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.Pending;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.step.HeldFeeds;
import dev.tributary.internal.step.RunningSteps;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The steps of a session at a master. Each first brings the graph there up to date, and holds
 * references to its feeds until the master has answered. Safe for use by many threads.
 */
final class RemoteSteps {
  /**
   * So much later than the master a client gives up, since the master can tell what was missing.
   */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final MasterInterface master;
  private final String sessionHandle;
  private final RemoteGraph graph;
  private final Duration timeout;
  private final RunningSteps running = new RunningSteps();

  /**
   * @param timeout of steps that say nothing else
   */
  RemoteSteps(MasterInterface master, String sessionHandle, RemoteGraph graph, Duration timeout) {
    this.timeout = timeout;
    this.master = master;
    this.sessionHandle = sessionHandle;
    this.graph = graph;
  }

  MasterInterface master() {
    return master;
  }

  String sessionHandle() {
    return sessionHandle;
  }

  /** Ends all steps, and takes no more. */
  void cancel() {
    running.close(RemoteSteps::closed, closed());
  }

  /** Waits for steps that were cancelled; returns how many have not ended by then. */
  int awaitNone(Duration limit) {
    return running.awaitNone(limit);
  }

  private static TributaryException closed() {
    return new TributaryException(
        ErrorCode.CANCELLED, "the session is closed: open another one on the same graph");
  }

  RunningStep start(StepSignature signature, List<Tensor> feeds, RunOptions options) {
    return start(signature, feeds, options, "");
  }

  RunningStep start(
      StepSignature signature, List<Tensor> feeds, RunOptions options, String partialRunHandle) {
    long id = RequestIds.next();
    return start(
        signature,
        feeds,
        options,
        (held, call) ->
            master.runStep(
                new RunStepRequest(
                    sessionHandle,
                    named(signature, held),
                    distinctNames(signature.fetches()),
                    signature.targets().stream().map(Operation::name).toList(),
                    RunOptionsProtos.toProto(options),
                    partialRunHandle,
                    id),
                call),
        response -> result(signature, response, options));
  }

  private static List<NamedTensor> named(StepSignature signature, List<Tensor> feeds) {
    List<NamedTensor> named = new ArrayList<>(feeds.size());
    for (int i = 0; i < feeds.size(); i++) {
      named.add(new NamedTensor(signature.feeds().get(i).name(), feeds.get(i)));
    }
    return named;
  }

  /**
   * Starts a step that the master is asked for by {@code send}, with the step's own references to
   * the feeds.
   *
   * @param toResult makes the step's result out of the answer and takes over its tensors
   */
  <T> RunningStep start(
      StepSignature signature,
      List<Tensor> feeds,
      RunOptions options,
      BiFunction<List<Tensor>, CallOptions, CompletableFuture<T>> send,
      Function<T, StepResult> toResult) {
    signature.requireFeedable(feeds);
    Cancellation cancellation = running.begin();
    HeldFeeds held;
    try {
      held = HeldFeeds.hold(feeds);
    } catch (RuntimeException e) {
      running.end(cancellation);
      throw e;
    }
    CallOptions call =
        CallOptions.cancelledBy(cancellation).within(options.timeout().orElse(timeout).plus(GRACE));
    Pending<StepResult> step = new Pending<>(cancellation, StepResult::close);
    graph
        .send()
        .thenCompose(upToDate -> send.apply(held.tensors(), call))
        .thenApply(toResult)
        .whenComplete(
            (result, failure) -> {
              held.release();
              if (failure != null) {
                step.fail(reason(cancellation, Answers.failure(failure)));
              } else {
                step.succeed(result);
              }
              running.end(cancellation); // Last: whoever closes the session finds it done.
            });
    return RunningStep.of(step);
  }

  /**
   * Makes a call about something that is part of the graph, once the master has all of it, and
   * waits for the answer. Closing the session cancels the call.
   */
  <T> T call(Duration limit, Function<CallOptions, CompletableFuture<T>> send) {
    Cancellation cancellation = running.begin();
    try {
      CallOptions options = CallOptions.cancelledBy(cancellation).within(limit);
      return Answers.await(graph.send().thenCompose(upToDate -> send.apply(options)));
    } finally {
      running.end(cancellation);
    }
  }

  static List<String> names(List<Output> outputs) {
    return outputs.stream().map(Output::name).toList();
  }

  static List<String> distinctNames(List<Output> outputs) {
    return outputs.stream().map(Output::name).distinct().toList();
  }

  /**
   * A cancelled call does not say why it was cancelled; the cancellation does. Nor does one that
   * finds the session gone, which it may if the session is closed while the call is under way.
   */
  private static RuntimeException reason(Cancellation cancellation, RuntimeException failure) {
    boolean isConsequence =
        failure instanceof TributaryException e
            && (e.code() == ErrorCode.CANCELLED || e.code() == ErrorCode.ABORTED);
    return isConsequence ? cancellation.reason().orElse(failure) : failure;
  }

  private static StepResult result(
      StepSignature signature, RunStepResponse response, RunOptions options) {
    return new StepResult(
        signature.fetches(),
        FetchedTensors.inOrder(names(signature.fetches()), response.tensors()),
        RunOptionsProtos.trace(options, response.metadata()));
  }
}
