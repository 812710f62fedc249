package dev.tributary.internal.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Builds while loops. Each variable enters a frame and meets, in a Merge, what the iteration before
 * made of it; a Switch sends it into the body or to an Exit. Confined to one call.
 */
public final class WhileBuilder {
  private final WhileContext context;
  private final LoopSettings settings;

  private WhileBuilder(Scope scope, LoopSettings settings) {
    this.context = new WhileContext(scope, settings);
    this.settings = settings;
  }

  /**
   * @param scope where the loop's operations are made; its names start with the loop's
   */
  public static WhileContext build(
      Scope scope,
      LoopSettings settings,
      List<Output> variables,
      BiFunction<Scope, List<Output>, Output> condition,
      BiFunction<WhileContext, List<Output>, List<Output>> body) {
    if (variables.isEmpty()) {
      throw TributaryException.invalidArgument("a while loop needs at least one loop variable");
    }
    WhileBuilder builder = new WhileBuilder(scope, settings);
    builder.open(variables);
    builder.addCondition(condition);
    builder.addBody(body);
    return builder.context;
  }

  private void open(List<Output> variables) {
    List<Shape> invariants = settings.shapeInvariants();
    if (!invariants.isEmpty() && invariants.size() != variables.size()) {
      throw TributaryException.invalidArgument(
          "%d loop variables have %d shape invariants", variables.size(), invariants.size());
    }
    for (int i = 0; i < variables.size(); i++) {
      Output value = variables.get(i);
      Output initial = context.outer().map(c -> c.capture(value, context.frame())).orElse(value);
      Shape shape = invariants.isEmpty() ? initial.shape() : invariants.get(i);
      if (!covers(shape, initial.shape()) && !context.isGradient()) {
        throw TributaryException.invalidArgument(
            "loop variable %d has shape %s, which its shape invariant %s does not cover",
            i, initial.shape(), shape);
      }
      context.open(context.scope(), initial, shape);
    }
  }

  private void addCondition(BiFunction<Scope, List<Output>, Output> condition) {
    List<LoopVariable> variables = context.variables();
    Output goesOn =
        condition.apply(context.scope(), variables.stream().map(LoopVariable::atStart).toList());
    if (goesOn.type() != DataType.BOOL) {
      throw TributaryException.invalidArgument(
          "the condition of a while loop must be bool, got %s", goesOn);
    }
    context.setCondition(context.scope().operation("LoopCond").input(goesOn).buildOutput());
    variables.forEach(v -> context.choose(context.scope(), v));
    context.startBody();
  }

  private void addBody(BiFunction<WhileContext, List<Output>, List<Output>> body) {
    List<LoopVariable> variables = context.variables();
    List<Output> results =
        new ArrayList<>(body.apply(context, variables.stream().map(LoopVariable::inBody).toList()));
    if (results.size() != variables.size()) {
      throw TributaryException.invalidArgument(
          "the body of a while loop must give one value for each of its %d variables, got %d",
          variables.size(), results.size());
    }
    for (int i = 0; i < results.size(); i++) {
      check(i, variables.get(i).atStart(), results.get(i));
    }
    for (int i = 0; i < results.size(); i++) {
      context.close(context.scope(), variables.get(i), results.get(i));
    }
  }

  private void check(int i, Output before, Output after) {
    if (before.type() != after.type()) {
      throw TributaryException.invalidArgument(
          "loop variable %d is %s and becomes %s: it must keep its type", i, before, after);
    }
    if (!covers(before.shape(), after.shape()) && !context.isGradient()) {
      throw TributaryException.invalidArgument(
          "the shape of loop variable %d is not the same in all iterations: it enters the loop with"
              + " shape %s and has shape %s after one iteration; give a shape invariant that covers"
              + " both",
          i, before.shape(), after.shape());
    }
  }

  /**
   * Returns whether everything of a shape that {@code narrow} allows is allowed by {@code wide}.
   */
  private static boolean covers(Shape wide, Shape narrow) {
    if (!wide.hasRank()) {
      return true;
    }
    if (!narrow.hasRank() || narrow.rank() != wide.rank()) {
      return false;
    }
    for (int i = 0; i < wide.rank(); i++) {
      if (wide.size(i) != Shape.UNKNOWN && wide.size(i) != narrow.size(i)) {
        return false;
      }
    }
    return true;
  }
}
