package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.CondBuilder;
import dev.tributary.internal.flow.LoopSettings;
import dev.tributary.internal.flow.LoopVariable;
import dev.tributary.internal.flow.WhileBuilder;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Control flow: the primitives, and cond and while loops made of them. */
public final class FlowOps {
  private final Scope scope;

  FlowOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    all.add(op("NoOp").shape(ShapeRules::unknown).kernel(node -> c -> {}).notDifferentiable());
    all.add(
        op("ControlTrigger")
            .shape(ShapeRules::unknown)
            .flow(FlowKind.CONTROL_TRIGGER)
            .kernel(node -> c -> {})
            .notDifferentiable());
    all.add(
        op("Abort")
            .attr("error_msg: string = ''")
            .attr("exit_without_error: bool = false")
            .shape(ShapeRules::unknown)
            .flag(OpFlag.NOT_FOLDABLE)
            .kernel(
                node ->
                    abort(
                        node.attributes().string("error_msg"),
                        node.attributes().bool("exit_without_error")))
            .notDifferentiable());
    all.add(
        op("LoopCond")
            .input("input: bool")
            .output("output: bool")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  c.output(0, Shape.scalar());
                })
            .flow(FlowKind.LOOP_COND)
            .kernel(node -> FlowOps::pass)
            .notDifferentiable());
    all.add(
        op("RefIdentity")
            .input("input: Ref(T)")
            .output("output: Ref(T)")
            .attr("T: type")
            .allowsUninitializedInput()
            .shape(ShapeRules::unchanged)
            .kernel(node -> FlowOps::passRef)
            .flag(OpFlag.PASSES_SLICES)
            .gradRule((scope, op, dy) -> dy));
    all.addAll(primitives(false));
    all.addAll(primitives(true));
    return all;
  }

  /** The ops that exist for values and, with a prefix, for references to variables. */
  private static List<OpDeclaration> primitives(boolean refs) {
    String prefix = refs ? "Ref" : "";
    String type = refs ? "Ref(T)" : "T";
    Kernel pass = refs ? FlowOps::passRef : FlowOps::pass;
    Declaration choose =
        op(prefix + "Switch")
            .input("data: " + type)
            .input("pred: bool")
            .output("output_false: " + type)
            .output("output_true: " + type)
            .attr("T: type");
    return List.of(
        (refs ? choose.allowsUninitializedInput() : choose)
            .shape(FlowOps::switchShape)
            .flow(FlowKind.SWITCH)
            .kernel(node -> refs ? FlowOps::chooseRef : FlowOps::choose)
            .gradRule(FlowGradients::ofSwitch),
        op(prefix + "Merge")
            .input("inputs: N * " + type)
            .output("output: " + type)
            .output("value_index: int32")
            .attr("T: type")
            .attr("N: int >= 1")
            .shape(FlowOps::mergeShape)
            .flow(FlowKind.MERGE)
            .kernel(node -> c -> merge(c, refs))
            .gradRule(FlowGradients::ofMerge),
        op(prefix + "Enter")
            .input("data: " + type)
            .output("output: " + type)
            .attr("T: type")
            .attr("frame_name: string")
            .attr("is_constant: bool = false")
            .attr("parallel_iterations: int = 10")
            .shape(refs ? ShapeRules::unchanged : FlowOps::enterShape)
            .value(c -> c.attributes().bool("is_constant") ? c.known(0) : Optional.empty())
            .flow(FlowKind.ENTER)
            .kernel(node -> pass)
            .gradRule(FlowGradients::ofBareLoop),
        op(prefix + "Exit")
            .input("data: " + type)
            .output("output: " + type)
            .attr("T: type")
            .shape(FlowOps::unchangedWithHandle)
            .flow(FlowKind.EXIT)
            .kernel(node -> pass)
            .gradRule(FlowGradients::ofBareLoop),
        op(prefix + "NextIteration")
            .input("data: " + type)
            .output("output: " + type)
            .attr("T: type")
            .shape(FlowOps::unchangedWithHandle)
            .flow(FlowKind.NEXT_ITERATION)
            .kernel(node -> pass)
            .gradRule(FlowGradients::ofBareLoop));
  }

  // ---- shape rules ----

  private static void unchangedWithHandle(InferenceContext c) {
    c.output(0, c.input(0));
    c.outputHandles(0, c.inputHandles(0));
  }

  private static void switchShape(InferenceContext c) {
    c.withRank(1, 0);
    for (int i = 0; i < 2; i++) {
      c.output(i, c.input(0));
      c.outputHandles(i, c.inputHandles(0));
    }
  }

  /** A loop may change the shape of what enters it, unless it is a constant of the loop. */
  private static void enterShape(InferenceContext c) {
    c.outputHandles(0, c.inputHandles(0));
    if (c.attributes().bool("is_constant")) {
      c.output(0, c.input(0));
    }
  }

  /** Sizes in which the inputs differ are unknown, and so are all if their ranks differ. */
  private static void mergeShape(InferenceContext c) {
    Shape merged = c.input(0);
    for (int i = 1; i < c.inputCount(); i++) {
      merged = ShapeRules.common(merged, c.input(i));
    }
    c.output(0, merged);
    c.outputHandles(0, mergedHandles(c));
    c.output(1, Shape.scalar());
  }

  /** A resource is the same whichever way it comes, but a variant may be another one. */
  private static List<Shape> mergedHandles(InferenceContext c) {
    List<Shape> merged = c.inputHandles(0);
    for (int i = 1; i < c.inputCount() && c.inputType(0) == DataType.VARIANT; i++) {
      merged = ShapeRules.common(merged, c.inputHandles(i));
    }
    return merged;
  }

  // ---- kernels ----

  private static void pass(KernelContext c) {
    c.setOutput(0, c.takeInput(0));
  }

  private static void passRef(KernelContext c) {
    c.setRefOutput(0, c.refInput(0));
  }

  private static void choose(KernelContext c) {
    c.setOutput(predicate(c), c.takeInput(0));
  }

  private static void chooseRef(KernelContext c) {
    c.setRefOutput(predicate(c), c.refInput(0));
  }

  private static int predicate(KernelContext c) {
    Tensor predicate = c.input(1);
    if (predicate.rank() != 0) {
      throw TributaryException.invalidArgument(
          "the predicate must be a scalar, but it has shape %s", predicate.shape());
    }
    return predicate.booleanValue() ? 1 : 0;
  }

  private static void merge(KernelContext c, boolean refs) {
    int live = 0;
    while (!c.hasInput(live)) {
      live++;
    }
    if (refs) {
      c.setRefOutput(0, c.refInput(live));
    } else {
      c.setOutput(0, c.takeInput(live));
    }
    c.setOutput(1, Tensor.scalar(live));
  }

  /**
   * TensorFlow's Abort ends the process. Here it ends the step: a graph has no power over a server.
   */
  private static Kernel abort(String message, boolean withoutError) {
    return c -> {
      if (!withoutError) {
        throw new TributaryException(
            ErrorCode.ABORTED, message.isEmpty() ? "the graph asked to abort" : message);
      }
    };
  }

  // ---- client methods ----

  Operation noOp() {
    return scope.operation("NoOp").build();
  }

  Operation group(List<Operation> operations) {
    return scope.withControlDependencies(operations).operation("NoOp").build();
  }

  /** An operation that runs when all its control inputs have, even those on branches not taken. */
  public Operation controlTrigger() {
    return scope.operation("ControlTrigger").build();
  }

  /** Fails the step with a message. */
  public Operation abort(String message) {
    return scope.operation("Abort").attr("error_msg", message).build();
  }

  /**
   * Sends {@code data} to output 1 if the predicate is true, else to output 0; what consumes the
   * other one does not run.
   */
  public List<Output> switchOn(Operand data, Operand predicate) {
    return scope
        .operation(data.asOutput().isRef() ? "RefSwitch" : "Switch")
        .input(data)
        .input(predicate)
        .build()
        .outputs();
  }

  /** The first of its inputs that is computed, and its place among them. */
  public List<Output> merge(List<? extends Operand> inputs) {
    boolean refs = inputs.stream().allMatch(input -> input.asOutput().isRef());
    return scope.operation(refs ? "RefMerge" : "Merge").inputList(inputs).build().outputs();
  }

  /**
   * The values of one of two branches. Only the operations of the branch taken run.
   *
   * <pre>{@code
   * Output size = tf.flow.cond(isNegative, t -> List.of(t.neg(x)), f -> List.of(x)).get(0);
   * }</pre>
   *
   * @param predicate a boolean scalar
   */
  public List<Output> cond(
      Operand predicate,
      Function<Ops, List<Output>> whenTrue,
      Function<Ops, List<Output>> whenFalse) {
    return CondBuilder.build(
            scope.withSubScope(scope.operationName().orElse("cond")),
            scope.graph().seen(predicate.asOutput()),
            inner -> whenTrue.apply(new Ops(inner)),
            inner -> whenFalse.apply(new Ops(inner)))
        .results();
  }

  /** Runs the operations of one of two branches for their effect. */
  public Operation condRun(
      Operand predicate,
      Function<Ops, List<Operation>> whenTrue,
      Function<Ops, List<Operation>> whenFalse) {
    return cond(predicate, t -> done(t, whenTrue, true), f -> done(f, whenFalse, false))
        .get(0)
        .operation();
  }

  private static List<Output> done(
      Ops inner, Function<Ops, List<Operation>> branch, boolean which) {
    List<Operation> operations = branch.apply(inner);
    return List.of(
        inner.withControlDependencies(operations.toArray(new Operation[0])).constant(which));
  }

  /**
   * Repeats {@code body} while {@code condition} holds, and returns the last values of the loop
   * variables.
   */
  public List<Output> whileLoop(
      List<? extends Operand> variables,
      BiFunction<Ops, List<Output>, Output> condition,
      BiFunction<Ops, List<Output>, List<Output>> body) {
    return whileLoop(variables, condition, body, WhileOptions.defaults());
  }

  /** Builds the same loop with settings. */
  public List<Output> whileLoop(
      List<? extends Operand> variables,
      BiFunction<Ops, List<Output>, Output> condition,
      BiFunction<Ops, List<Output>, List<Output>> body,
      WhileOptions options) {
    if (options.maximumIterations().isPresent()) {
      return countedLoop(variables, condition, body, options);
    }
    return WhileBuilder.build(
            scope.withSubScope(scope.operationName().orElse("while")),
            new LoopSettings(options.parallelIterations(), options.shapeInvariants()),
            Operand.asOutputs(variables).stream().map(scope.graph()::seen).toList(),
            (inner, values) -> condition.apply(new Ops(inner), values),
            (loop, values) -> body.apply(new Ops(loop.scope()), values))
        .variables()
        .stream()
        .map(LoopVariable::exit)
        .toList();
  }

  /** A loop whose first variable counts its iterations, and which ends when it has had enough. */
  private List<Output> countedLoop(
      List<? extends Operand> variables,
      BiFunction<Ops, List<Output>, Output> condition,
      BiFunction<Ops, List<Output>, List<Output>> body,
      WhileOptions options) {
    int limit = options.maximumIterations().getAsInt();
    List<Output> counted = counted(new Ops(scope).constant(0), Operand.asOutputs(variables));
    return whileLoop(
            counted,
            (inner, values) ->
                inner.logicalAnd(
                    inner.less(values.get(0), inner.constant(limit)),
                    condition.apply(inner, rest(values))),
            (inner, values) ->
                counted(
                    inner.add(values.get(0), inner.constant(1)), body.apply(inner, rest(values))),
            options.counted())
        .subList(1, counted.size());
  }

  private static List<Output> counted(Output counter, List<Output> values) {
    List<Output> all = new ArrayList<>(values);
    all.add(0, counter);
    return all;
  }

  private static List<Output> rest(List<Output> values) {
    return values.subList(1, values.size());
  }
}
