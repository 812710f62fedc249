package dev.tributary.optable;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A call as nodes of a graph: its inputs as placeholders or constants, and the operation. The call
 * stays the caller's and must live as long as this is fed.
 */
public final class CallGraph {
  private final OpCall call;
  private final List<Output> inputs;
  private final Operation operation;

  private CallGraph(OpCall call, List<Output> inputs, Operation operation) {
    this.call = call;
    this.inputs = inputs;
    this.operation = operation;
  }

  /** A graph in which every input is a placeholder of the right shape, constants too. */
  public static CallGraph fed(Ops tf, String op, OpCall call) {
    List<Output> inputs = new ArrayList<>();
    call.inputs().forEach(tensor -> inputs.add(tf.placeholder(tensor.type(), tensor.shape())));
    return new CallGraph(call, inputs, operation(tf, op, call, inputs));
  }

  /**
   * As {@link #fed}, with inputs that nobody else holds when the operation runs, in a registry with
   * {@link FreshCopy}.
   */
  static CallGraph copied(Ops tf, String op, OpCall call) {
    List<Output> inputs = new ArrayList<>();
    List<Output> copies = new ArrayList<>();
    for (Tensor tensor : call.inputs()) {
      Output input = tf.placeholder(tensor.type(), tensor.shape());
      inputs.add(input);
      copies.add(tf.scope().withName("copy").operation(FreshCopy.NAME).input(input).buildOutput());
    }
    return new CallGraph(call, inputs, operation(tf, op, call, copies));
  }

  /**
   * A graph in which constants are constants and the rest are placeholders.
   *
   * @param view what a placeholder tells of its value's shape
   */
  public static CallGraph of(Ops tf, String op, OpCall call, UnaryOperator<Shape> view) {
    List<Output> inputs = new ArrayList<>();
    for (int i = 0; i < call.inputs().size(); i++) {
      Tensor tensor = call.inputs().get(i);
      inputs.add(
          call.isConstant(i)
              ? tf.constant(tensor)
              : tf.placeholder(tensor.type(), view.apply(tensor.shape())));
    }
    return new CallGraph(call, inputs, operation(tf, op, call, inputs));
  }

  public List<Output> inputs() {
    return inputs;
  }

  public Operation operation() {
    return operation;
  }

  /** Feeds the call's values to the placeholders. */
  public StepRunner feed(StepRunner runner) {
    return feed(runner, -1, Optional.empty());
  }

  /** The same with another value for one input. */
  public StepRunner feed(StepRunner runner, int replaced, Optional<Tensor> replacement) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).operation().type().equals("Placeholder")) {
        runner.feed(
            inputs.get(i), i == replaced ? replacement.orElseThrow() : call.inputs().get(i));
      }
    }
    return runner;
  }

  private static Operation operation(Ops tf, String op, OpCall call, List<Output> inputs) {
    OperationBuilder builder = tf.scope().operation(op);
    call.attributes().forEach((name, value) -> builder.attr(name, value));
    OpDef def = tf.graph().registry().lookup(op).def();
    int at = 0;
    for (ArgDef argument : def.inputs()) {
      int length = Math.min(length(def, argument, call), inputs.size() - at);
      builder.inputList(inputs.subList(at, at + length));
      at += length;
    }
    if (at < inputs.size()) {
      throw new IllegalArgumentException(
          op + " takes " + at + " inputs, the call has " + inputs.size());
    }
    return builder.build();
  }

  /**
   * How many inputs an argument takes: as an attribute says, or an equal share of what single
   * arguments leave.
   */
  private static int length(OpDef def, ArgDef argument, OpCall call) {
    if (!argument.isList()) {
      return 1;
    }
    AttrValue given = call.attributes().get(lengthAttribute(argument));
    if (given instanceof AttrValue.Int) {
      return Math.toIntExact(((AttrValue.Int) given).value());
    }
    if (given instanceof AttrValue.ListValue) {
      return ((AttrValue.ListValue) given).values().size();
    }
    int left = call.inputs().size();
    int sharing = 0;
    for (ArgDef other : def.inputs()) {
      if (other.isList() && lengthAttribute(other).equals(lengthAttribute(argument))) {
        sharing++;
      } else if (other.isList() && !call.attributes().containsKey(lengthAttribute(other))) {
        throw new IllegalArgumentException(
            def.name()
                + ": the call must have "
                + lengthAttribute(argument)
                + " or "
                + lengthAttribute(other));
      } else {
        left -= length(def, other, call);
      }
    }
    return left / sharing;
  }

  private static String lengthAttribute(ArgDef argument) {
    return argument.numberAttr().or(argument::typeListAttr).orElseThrow();
  }
}
