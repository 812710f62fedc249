package dev.tributary.session;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** A step in the making. Fed tensors stay the caller's and must live until the step ends. Confined to one thread. */
public final class StepRunner {
  /** What a session does with a finished request. */
  interface Target {
    StepResult run(StepRunner request);
  }

  private final Session session;
  private final Target target;
  private final List<Output> feeds = new ArrayList<>();
  private final List<Tensor> feedValues = new ArrayList<>();
  private final List<Output> fetches = new ArrayList<>();
  private final List<Operation> targets = new ArrayList<>();
  private RunOptions options = RunOptions.defaults();

  StepRunner(Session session, Target target) {
    this.session = session;
    this.target = target;
  }

  /** Gives an output this value instead of computing it. Any output may be fed. */
  public StepRunner feed(Output output, Tensor value) {
    feeds.add(output);
    feedValues.add(value);
    return this;
  }

  public StepRunner feed(String output, Tensor value) {
    return feed(session.graph().output(output), value);
  }

  /** Asks for the value of an output; results come in the order of these calls. */
  public StepRunner fetch(Output output) {
    fetches.add(output);
    return this;
  }

  public StepRunner fetch(String output) {
    return fetch(session.graph().output(output));
  }

  public StepRunner fetch(List<Output> outputs) {
    fetches.addAll(outputs);
    return this;
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
    return target.run(this);
  }

  List<Output> feeds() {
    return feeds;
  }

  List<Tensor> feedValues() {
    return feedValues;
  }

  List<Output> fetches() {
    return fetches;
  }

  List<Operation> targets() {
    return targets;
  }

  RunOptions options() {
    return options;
  }
}
