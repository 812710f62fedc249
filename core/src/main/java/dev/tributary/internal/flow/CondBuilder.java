package dev.tributary.internal.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Builds conds. Each branch is a context to which operations are added; the results of both meet in
 * Merges. Confined to the thread that builds the graph.
 */
public final class CondBuilder {
  private final Scope scope;
  private final CondContext whenTrue;
  private final CondContext whenFalse;

  private CondBuilder(Scope scope, CondContext whenTrue, CondContext whenFalse) {
    this.scope = scope;
    this.whenTrue = whenTrue;
    this.whenFalse = whenFalse;
  }

  public static Cond build(
      Scope scope,
      Output predicate,
      Function<Scope, List<Output>> whenTrue,
      Function<Scope, List<Output>> whenFalse) {
    CondBuilder builder = open(scope, predicate, Recall.nothing(), Recall.nothing());
    List<Output> fromTrue = whenTrue.apply(builder.whenTrue.scope());
    return builder.close(fromTrue, whenFalse.apply(builder.whenFalse.scope()));
  }

  /**
   * Starts a cond whose branches can look back at values of other contexts.
   *
   * @param scope where the cond's operations are made; its names start with the cond's
   */
  public static CondBuilder open(Scope scope, Output predicate, Recall forTrue, Recall forFalse) {
    if (predicate.type() != DataType.BOOL) {
      throw TributaryException.invalidArgument(
          "the predicate of a cond must be bool, got %s", predicate);
    }
    Output seen =
        scope
            .flowContext()
            .map(c -> c.capture(predicate, scope.uniqueName("pred")))
            .orElse(predicate);
    // The pivots are switched by the predicate itself; everything else looks at pred_id, as in
    // TensorFlow's graphs.
    Operation pivots = FlowNodes.switchOn(scope, scope.flowContext(), seen, seen);
    Output pivotTrue = identity(scope, "switch_t", pivots.output(1));
    Output pivotFalse = identity(scope, "switch_f", pivots.output(0));
    Output id = identity(scope, "pred_id", seen);
    return new CondBuilder(
        scope,
        new CondContext(scope, id, true, pivotTrue.operation(), forTrue),
        new CondContext(scope, id, false, pivotFalse.operation(), forFalse));
  }

  public CondContext whenTrue() {
    return whenTrue;
  }

  public CondContext whenFalse() {
    return whenFalse;
  }

  /** Joins what the branches give. */
  public Cond close(List<Output> fromTrue, List<Output> fromFalse) {
    if (fromFalse.size() != fromTrue.size()) {
      throw TributaryException.invalidArgument(
          "both branches of a cond must give as many values: true gives %d, false gives %d",
          fromTrue.size(), fromFalse.size());
    }
    for (int i = 0; i < fromTrue.size(); i++) {
      if (fromTrue.get(i).type() != fromFalse.get(i).type()) {
        throw TributaryException.invalidArgument(
            "value %d of a cond must have one type: true gives %s, false gives %s",
            i, fromTrue.get(i), fromFalse.get(i));
      }
    }
    whenTrue.finish(fromTrue);
    whenFalse.finish(fromFalse);
    List<Output> merged = new ArrayList<>();
    for (int i = 0; i < fromTrue.size(); i++) {
      merged.add(
          FlowNodes.merge(scope, List.of(whenFalse.results().get(i), whenTrue.results().get(i)))
              .output(0));
    }
    Cond cond = new Cond(whenTrue, whenFalse, merged);
    whenTrue.join(cond);
    whenFalse.join(cond);
    return cond;
  }

  private static Output identity(Scope scope, String name, Output value) {
    return scope.withName(name).operation("Identity").input(value).buildOutput();
  }
}
