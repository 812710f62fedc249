package dev.tributary.internal.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The inside of a while loop. Values from outside enter through an Enter that holds for all
 * iterations. Such values are there before anybody knows whether an iteration takes place, so
 * operations that see nothing else wait for a pivot, which is the first loop variable. Confined to
 * the thread that builds the graph.
 */
public final class WhileContext implements FlowContext {
  private final Scope around;
  private final Scope inside;
  private final String frame;
  private final int parallelIterations;
  private final Optional<Recall> recall;
  private final Captures captures;
  private final List<LoopVariable> variables = new ArrayList<>();
  private Output condition;
  private Operation pivot;

  WhileContext(Scope around, LoopSettings settings) {
    this.around = around;
    this.inside = around.withFlowContext(Optional.of(this));
    this.frame = around.uniqueName("while_context");
    this.parallelIterations = settings.parallelIterations();
    this.recall = settings.recall();
    this.captures =
        new Captures(this, inside, recall.orElse(Recall.nothing()), this::enterConstant);
  }

  /** Returns where operations of the body are made. */
  public Scope scope() {
    return inside;
  }

  /** Returns where the operations around the loop are made. */
  public Scope around() {
    return around;
  }

  /** The name of the loop's frame. */
  public String frame() {
    return frame;
  }

  public int parallelIterations() {
    return parallelIterations;
  }

  /** Returns whether this loop computes the gradient of another one. */
  public boolean isGradient() {
    return recall.isPresent();
  }

  /** For a loop that computes a gradient, how it sees values of the other one. */
  public Optional<Recall> recall() {
    return recall;
  }

  public List<LoopVariable> variables() {
    return List.copyOf(variables);
  }

  /** The constants of the loop so far. */
  public List<Capture> captured() {
    return captures.all();
  }

  /**
   * Returns whether a value inside the loop is the same in all iterations since it came from
   * outside.
   */
  public boolean isConstant(Output value) {
    Operation operation = value.operation();
    return operation.flowContext().filter(c -> c == this).isPresent()
        && operation.attributes().has("is_constant")
        && operation.attributes().bool("is_constant");
  }

  /**
   * Adds a variable to a loop whose condition is built: what it becomes is said to {@link #close}.
   */
  public LoopVariable addVariable(Scope names, Output initial) {
    LoopVariable variable =
        open(names.withFlowContext(Optional.of(this)), initial, initial.shape());
    choose(names.withFlowContext(Optional.of(this)), variable);
    return variable;
  }

  /** Says what a variable becomes in each iteration. */
  public void close(Scope names, LoopVariable variable, Output value) {
    Operation next = FlowNodes.nextIteration(names.withFlowContext(Optional.of(this)), value);
    around.graph().updateInput(variable.merge(), 1, next.output(0));
    variable.close(
        next.input(0),
        FlowNodes.exit(names.withFlowContext(around.flowContext()), variable.last()));
  }

  LoopVariable open(Scope names, Output initial, Shape shape) {
    Operation enter =
        FlowNodes.enter(names, outer(), initial, frame, false, parallelIterations, shape);
    LoopVariable variable =
        new LoopVariable(
            initial, FlowNodes.merge(names, List.of(enter.output(0), enter.output(0))));
    variables.add(variable);
    if (pivot == null) {
      pivot = variable.merge();
    }
    return variable;
  }

  void setCondition(Output loopCond) {
    condition = loopCond;
  }

  /** Sends the variable into the body or out of the loop, as the condition says. */
  void choose(Scope names, LoopVariable variable) {
    Operation chooser = FlowNodes.switchOn(names, Optional.empty(), variable.atStart(), condition);
    Output live = chooser.output(1);
    variable.choose(
        chooser,
        names.operation(live.isRef() ? "RefIdentity" : "Identity").input(live).buildOutput());
  }

  /** From now on operations are the body's. */
  void startBody() {
    pivot = variables.get(0).inBody().operation();
  }

  @Override
  public Optional<FlowContext> outer() {
    return around.flowContext();
  }

  @Override
  public Output capture(Output value, String consumer) {
    return captures.capture(value, consumer);
  }

  @Override
  public Operation captureControl(Operation operation, String consumer) {
    if (encloses(operation)) {
      requireSameFrame(operation);
      return operation;
    }
    return capture(
            operation.outputCount() > 0 ? operation.output(0) : signalAfter(operation), consumer)
        .operation();
  }

  @Override
  public Optional<Operation> pivotFor(List<Output> inputs, List<Operation> controlInputs) {
    boolean held =
        inputs.stream().anyMatch(i -> !isConstant(i))
            || controlInputs.stream()
                .anyMatch(c -> c.outputCount() == 0 || !isConstant(c.output(0)));
    return held ? Optional.empty() : Optional.of(pivot);
  }

  @Override
  public String toString() {
    return "the while loop '" + frame + "'";
  }

  private Output enterConstant(Output outside, String consumer) {
    Scope names = inside.withoutPrefix().withName(consumer + "/Enter");
    return FlowNodes.enter(
            names, outer(), outside, frame, true, parallelIterations, outside.shape())
        .output(0);
  }

  /** A value that exists when an operation without outputs has run. */
  private Output signalAfter(Operation operation) {
    return around
        .operation("Const")
        .attrTaking("value", Tensor.scalar(false))
        .attr("dtype", DataType.BOOL)
        .controlInput(operation)
        .buildOutput();
  }

  private void requireSameFrame(Operation operation) {
    Optional<FlowContext> context = operation.flowContext();
    while (context.isPresent() && context.get() != this) {
      if (context.get() instanceof WhileContext) {
        throw TributaryException.invalidArgument(
            "%s is inside %s and cannot be waited for outside of it", operation, context.get());
      }
      context = context.get().outer();
    }
  }
}
