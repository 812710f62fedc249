package dev.tributary.internal.step;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.tensor.Tensor;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A compiled function whose calls are steps inside steps: each has its own rendezvous and its own
 * resources, which end with it, and ends with the step of its caller. Safe for use by many threads.
 */
final class NestedSteps implements CapturedFunction {
  private final String function;
  private final RegisteredGraph graph;
  private final int resultCount;

  NestedSteps(String function, RegisteredGraph graph, int resultCount) {
    this.function = function;
    this.graph = graph;
    this.resultCount = resultCount;
  }

  @Override
  public void call(Tensor[] arguments, Cancellation caller, Completion done) {
    if (!graph.enter()) {
      done.fail(
          new TributaryException(
              ErrorCode.CANCELLED, "function '" + function + "' is closed with its graph"));
      return;
    }
    CallFrame frame = new CallFrame(arguments, resultCount);
    LocalRendezvous rendezvous = new LocalRendezvous();
    Cancellation own = new Cancellation();
    Runnable cancel = () -> own.cancel(caller.reason().orElseThrow());
    // Steps of the wire have positive ids.
    long stepId = ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE;
    GraphRun run =
        new GraphRun(
            stepId,
            graph,
            frame,
            rendezvous,
            Optional.empty(),
            own,
            failure -> {
              caller.forget(cancel);
              rendezvous.close();
              graph.leave();
              end(frame, failure, done);
            });
    caller.onCancel(cancel);
    // The caller's thread may be one of few, and only work of the pool makes room for others.
    run.startOnPool();
  }

  private void end(CallFrame frame, Optional<RuntimeException> failure, Completion done) {
    Optional<RuntimeException> problem = failure.or(() -> deadResult(frame));
    if (problem.isPresent()) {
      frame.releaseResults();
      done.fail(
          problem.get() instanceof TributaryException known
              ? known.at("function '" + function + "'")
              : problem.get());
      return;
    }
    Tensor[] results = new Tensor[resultCount];
    for (int i = 0; i < resultCount; i++) {
      results[i] = frame.result(i);
    }
    done.succeed(results);
  }

  private static Optional<RuntimeException> deadResult(CallFrame frame) {
    for (int i = 0; i < frame.resultCount(); i++) {
      if (!frame.hasResult(i)) {
        return Optional.of(
            TributaryException.internal(
                "Retval[%d] does not have value: it lies on a branch that was not taken", i));
      }
    }
    return Optional.empty();
  }
}
