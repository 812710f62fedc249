package dev.tributary.gradients;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.FlowContext;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Adds the gradient of a sum of outputs to a graph.
 *
 * <pre>{@code
 * List<GradientValue> grads = Gradients.of(loss, List.of(weights, bias));
 * }</pre>
 */
public final class Gradients {
  private Gradients() {}

  /** Returns the gradients of one output, one for each of {@code xs}; none where not connected. */
  public static List<GradientValue> of(Operand y, List<? extends Operand> xs) {
    return of(new Ops(y.asOutput().graph().scope()), List.of(y), xs);
  }

  /**
   * The gradients of the sum of {@code ys}, one for each of {@code xs}; none where nothing connects
   * them.
   */
  public static List<GradientValue> of(
      Ops tf, List<? extends Operand> ys, List<? extends Operand> xs) {
    return of(tf, ys, xs, List.of(), List.of());
  }

  /**
   * The same with a start and with limits.
   *
   * @param gradYs the gradient of each of {@code ys} to start with; empty means ones
   * @param stopGradients outputs behind which nothing is differentiated
   */
  public static List<GradientValue> of(
      Ops tf,
      List<? extends Operand> ys,
      List<? extends Operand> xs,
      List<? extends Operand> gradYs,
      Collection<? extends Operand> stopGradients) {
    return differentiate(
        tf,
        Operand.asOutputs(ys),
        xs.stream().map(Gradients::source).toList(),
        Operand.asOutputs(gradYs),
        stopGradients.stream().map(Gradients::source).toList());
  }

  /** A variable's gradient is that of its resource, so that it counts every read. */
  private static Output source(Operand x) {
    return x instanceof Variable variable ? variable.handle() : x.asOutput();
  }

  private static List<GradientValue> differentiate(
      Ops tf, List<Output> ys, List<Output> xs, List<Output> gradYs, List<Output> stopGradients) {
    if (!gradYs.isEmpty() && gradYs.size() != ys.size()) {
      throw TributaryException.invalidArgument(
          "%d outputs have %d start gradients", ys.size(), gradYs.size());
    }
    Optional<FlowContext> context = tf.scope().flowContext();
    Scope scope = tf.scope().withSubScope("gradients");
    List<Output> seenXs = xs.stream().map(x -> seen(scope, x)).toList();
    List<Output> start = new ArrayList<>();
    for (int i = 0; i < ys.size(); i++) {
      requireDifferentiable(ys.get(i), !gradYs.isEmpty());
      requireWithin(context, ys.get(i));
      start.add(gradYs.isEmpty() ? ones(scope, ys.get(i)) : checked(gradYs.get(i), ys.get(i)));
    }
    CallInlining.between(scope.graph(), ys, seenXs);
    return Differentiation.of(scope, context, ys, seenXs, start, new HashSet<>(stopGradients));
  }

  /**
   * A value that the present cond or loop captures stands for the captured one: a variable to be
   * trained in a loop, say.
   */
  private static Output seen(Scope scope, Output value) {
    Output x = scope.graph().seen(value);
    Output seen = scope.flowContext().map(c -> c.capture(x, scope.prefix() + "x")).orElse(x);
    requireWithin(scope.flowContext(), seen);
    return seen;
  }

  /**
   * The gradients of one output as dense tensors, for updates that take nothing else; each x must
   * have one.
   */
  public static List<Output> dense(Ops tf, Operand y, List<? extends Operand> xs) {
    List<GradientValue> gradients = of(tf, List.of(y), xs);
    List<Output> dense = new ArrayList<>();
    for (int i = 0; i < xs.size(); i++) {
      if (gradients.get(i) instanceof GradientValue.None) {
        throw TributaryException.invalidArgument(
            "%s does not depend on %s in a differentiable way", y, xs.get(i));
      }
      dense.add(Dense.of(tf.scope(), gradients.get(i)));
    }
    return dense;
  }

  private static Output ones(Scope scope, Output y) {
    return scope.operation("OnesLike").input(y).buildOutput();
  }

  private static Output checked(Output gradient, Output y) {
    if (gradient.type() != y.type() || !gradient.shape().isCompatibleWith(y.shape())) {
      throw TributaryException.invalidArgument(
          "the start gradient %s does not fit %s", gradient, y);
    }
    return gradient;
  }

  private static void requireDifferentiable(Output y, boolean hasStart) {
    if (y.type().isComplex() && !hasStart) {
      throw TributaryException.invalidArgument(
          "%s is complex and has no slope of its own: give the gradient that flows into it, or"
              + " differentiate a real value such as its modulus",
          y);
    }
    if (!y.type().isFloating() && !y.type().isComplex()) {
      throw TributaryException.invalidArgument(
          "%s has no gradient: only floating-point and complex outputs do", y);
    }
  }

  private static void requireWithin(Optional<FlowContext> context, Output value) {
    if (!value.operation().flowContext().equals(context)) {
      throw TributaryException.invalidArgument(
          "gradients are asked for in %s, but %s is made in %s",
          described(context), value, described(value.operation().flowContext()));
    }
  }

  private static String described(Optional<FlowContext> context) {
    return context.map(Object::toString).orElse("no cond or loop");
  }
}
