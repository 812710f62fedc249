package dev.tributary.session;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A step in the making. Fed tensors stay the caller's: the step holds references of its own from
 * the call of {@link #run} or {@link #start} on. Confined to one thread.
 */
public final class StepRunner {
  /** Runs finished requests for a session. Feeds are borrowed until the call returns. */
  public interface Target {
    StepResult run(StepSignature signature, List<Tensor> feeds, RunOptions options);

    RunningStep start(StepSignature signature, List<Tensor> feeds, RunOptions options);
  }

  private final Session session;
  private final Target target;
  private final List<Output> feeds = new ArrayList<>();
  private final List<Tensor> feedValues = new ArrayList<>();
  private final List<Output> fetches = new ArrayList<>();
  private final List<Operation> targets = new ArrayList<>();
  private RunOptions options = RunOptions.defaults();

  public StepRunner(Session session, Target target) {
    this.session = session;
    this.target = target;
  }

  /** Gives an operand this value instead of computing it. Any may be fed, but only once. */
  public StepRunner feed(Operand operand, Tensor value) {
    feeds.add(operand.asOutput());
    feedValues.add(value);
    return this;
  }

  public StepRunner feed(String output, Tensor value) {
    return feed(session.graph().output(output), value);
  }

  /** Asks for the value of an operand; results come in the order of these calls. */
  public StepRunner fetch(Operand operand) {
    fetches.add(operand.asOutput());
    return this;
  }

  public StepRunner fetch(String output) {
    return fetch(session.graph().output(output));
  }

  public StepRunner fetch(List<? extends Operand> operands) {
    fetches.addAll(Operand.asOutputs(operands));
    return this;
  }

  /** Asks for all outputs of an operation, in order; one without outputs is only run. */
  public StepRunner fetch(Operation operation) {
    return operation.outputCount() == 0 ? target(operation) : fetch(operation.outputs());
  }

  /** Asks for an operation to run, without a value. */
  public StepRunner target(Operation operation) {
    targets.add(operation);
    return this;
  }

  public StepRunner target(String operation) {
    return target(session.graph().operation(operation));
  }

  public StepRunner options(RunOptions runOptions) {
    options = runOptions;
    return this;
  }

  /** Runs the step and waits for it. */
  public StepResult run() {
    return target.run(signature(), List.copyOf(feedValues), options);
  }

  /** Starts the step on another thread; requests that are not well formed fail here already. */
  public RunningStep start() {
    return target.start(signature(), List.copyOf(feedValues), options);
  }

  private StepSignature signature() {
    return new StepSignature(feeds, fetches, targets);
  }
}
