package dev.tributary.gradients;

import dev.tributary.graph.FlowContext;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One walk back through a territory, a part at a time, each one only after all its consumers on the
 * way have given their share; shares of one output are added up. A loop or cond starts a walk of
 * its own for its inside. Confined to one call.
 */
final class Differentiation {
  private final Scope scope;
  private final Accumulation accumulation;
  private final Reach reach;
  private final Set<Output> xs;
  private final Map<Part, Integer> pending = new HashMap<>();

  private Differentiation(
      Scope scope, Territory territory, List<Output> ys, List<Output> xs, Set<Output> stops) {
    this.scope = scope;
    this.accumulation = new Accumulation(scope);
    this.reach = new Reach(territory, ys, xs, stops);
    this.xs = new HashSet<>(xs);
  }

  /**
   * The gradients for {@code xs}, all in one context.
   *
   * @param context the context of {@code ys} and {@code xs}; the scope's may be another one, which
   *     computes its gradient
   */
  static List<GradientValue> of(
      Scope scope,
      Optional<FlowContext> context,
      List<Output> ys,
      List<Output> xs,
      List<? extends GradientValue> gradYs,
      Set<Output> stops) {
    Differentiation walk = new Differentiation(scope, new Territory(context), ys, xs, stops);
    for (int i = 0; i < ys.size(); i++) {
      walk.accumulation.add(ys.get(i), gradYs.get(i));
    }
    walk.run(ys);
    List<GradientValue> result = new ArrayList<>();
    xs.forEach(x -> result.add(walk.accumulation.sum(x)));
    return result;
  }

  private void run(List<Output> ys) {
    for (Part part : reach.parts()) {
      part.inputs()
          .forEach(
              input ->
                  reach.source(input).ifPresent(source -> pending.merge(source, 1, Integer::sum)));
    }
    Deque<Part> ready = new ArrayDeque<>();
    Set<Part> queued = new HashSet<>();
    for (Output y : ys) {
      reach.source(y).filter(p -> !pending.containsKey(p) && queued.add(p)).ifPresent(ready::add);
    }
    while (!ready.isEmpty()) {
      Part part = ready.remove();
      List<Output> inputs = part.inputs();
      List<? extends GradientValue> shares = differentiate(part);
      for (int i = 0; i < shares.size(); i++) {
        accumulation.add(inputs.get(i), shares.get(i));
      }
      for (Output input : inputs) {
        reach
            .source(input)
            .filter(p -> pending.merge(p, -1, Integer::sum) == 0 && queued.add(p))
            .ifPresent(ready::add);
      }
    }
  }

  private List<? extends GradientValue> differentiate(Part part) {
    List<GradientValue> flows = part.outputs().stream().map(accumulation::sum).toList();
    if (flows.stream().allMatch(GradientValue.None.class::isInstance)) {
      return List.of();
    }
    return part.differentiate(scope, flows, this::isWanted);
  }

  private boolean isWanted(Output input) {
    return Reach.carriesGradient(input) && (xs.contains(input) || reach.source(input).isPresent());
  }
}
