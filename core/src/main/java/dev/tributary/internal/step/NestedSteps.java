package dev.tributary.internal.step;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.executor.ExecutableGraph;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.kernel.CollectiveExecutor;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A compiled function whose calls are steps inside steps: each has its own rendezvous and its own
 * resources, which end with it, and ends with the step of its caller. Safe for use by many threads.
 */
final class NestedSteps implements CapturedFunction {
  private final FunctionBody body;
  private final RegisteredGraph graph;

  /** The only part of the graph, if its steps are brief. */
  private final Optional<ExecutableGraph> brief;

  NestedSteps(FunctionBody body, RegisteredGraph graph) {
    this.body = body;
    this.graph = graph;
    ExecutableGraph[] parts = graph.executables();
    this.brief = parts.length == 1 && parts[0].isBrief() ? Optional.of(parts[0]) : Optional.empty();
  }

  @Override
  public void requireResults(List<DataType> types) {
    body.requireResults(types);
  }

  @Override
  public void call(Tensor[] arguments, Cancellation caller, Completion done) {
    if (!takes(arguments, done)) {
      return;
    }
    if (!graph.enter()) {
      done.fail(closed());
      return;
    }
    // The caller's thread may be one of few, and only work of the pool makes room for others.
    begin(arguments, caller, done, graph::leave).startOnPool();
  }

  @Override
  public Retained retain() {
    if (!graph.enter()) {
      throw closed();
    }
    return new Retained() {
      @Override
      public void callHere(Tensor[] arguments, Cancellation caller, Completion done) {
        if (!takes(arguments, done)) {
          return;
        }
        if (brief.isPresent()) {
          runBrief(brief.get(), arguments, caller, done);
        } else {
          begin(arguments, caller, done, () -> {}).startInSlice();
        }
      }

      @Override
      public void close() {
        graph.leave();
      }
    };
  }

  /** A kernel of the body would read memory past an argument of a smaller type. */
  private boolean takes(Tensor[] arguments, Completion done) {
    if (haveTypesOfBody(arguments)) {
      return true;
    }
    try {
      body.requireArguments(Arrays.stream(arguments).map(Tensor::type).toList());
      return true;
    } catch (TributaryException e) {
      done.fail(e);
      return false;
    }
  }

  private boolean haveTypesOfBody(Tensor[] arguments) {
    boolean same = arguments.length == body.arguments().size();
    for (int i = 0; same && i < arguments.length; i++) {
      same = arguments[i].type() == body.arguments().get(i).type();
    }
    return same;
  }

  private TributaryException closed() {
    return new TributaryException(
        ErrorCode.CANCELLED, "function '" + body.function() + "' is closed with its graph");
  }

  /** A step of a few cheap nodes needs no run around it: that would take longer than they do. */
  private void runBrief(
      ExecutableGraph part, Tensor[] arguments, Cancellation caller, Completion done) {
    CallFrame frame = new CallFrame(arguments, body.results().size());
    Optional<RuntimeException> failure = Optional.empty();
    try {
      part.runBrief(new Step(newStepId(), caller, frame, new LocalRendezvous()));
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    }
    end(frame, failure, done);
  }

  /** Steps of the wire have positive ids. */
  private static long newStepId() {
    return ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE;
  }

  private GraphRun begin(Tensor[] arguments, Cancellation caller, Completion done, Runnable leave) {
    CallFrame frame = new CallFrame(arguments, body.results().size());
    LocalRendezvous rendezvous = new LocalRendezvous();
    Cancellation own = new Cancellation();
    Runnable cancel = () -> own.cancel(caller.reason().orElseThrow());
    GraphRun run =
        new GraphRun(
            newStepId(),
            graph,
            frame,
            rendezvous,
            CollectiveExecutor.none(),
            Optional.empty(),
            own,
            failure -> {
              caller.forget(cancel);
              rendezvous.close();
              leave.run();
              end(frame, failure, done);
            });
    caller.onCancel(cancel);
    return run;
  }

  private void end(CallFrame frame, Optional<RuntimeException> failure, Completion done) {
    Optional<RuntimeException> problem = failure.or(() -> deadResult(frame));
    if (problem.isPresent()) {
      frame.releaseResults();
      done.fail(
          problem.get() instanceof TributaryException known
              ? known.at("function '" + body.function() + "'")
              : problem.get());
      return;
    }
    Tensor[] results = new Tensor[body.results().size()];
    for (int i = 0; i < body.results().size(); i++) {
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
