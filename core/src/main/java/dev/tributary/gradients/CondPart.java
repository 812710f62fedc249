package dev.tributary.gradients;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.Capture;
import dev.tributary.internal.flow.Cond;
import dev.tributary.internal.flow.CondBuilder;
import dev.tributary.internal.flow.CondContext;
import dev.tributary.internal.gradient.Dense;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A cond. Its gradient is a cond on the same predicate, with the gradient of each branch in the
 * branch of the same side, and zeros for what a branch does not use.
 */
final class CondPart implements Part {
  private final Cond cond;
  private final List<Output> inputs;

  CondPart(Cond cond) {
    this.cond = cond;
    Set<Output> captured = new LinkedHashSet<>();
    cond.whenTrue().captured().forEach(c -> captured.add(c.outside()));
    cond.whenFalse().captured().forEach(c -> captured.add(c.outside()));
    this.inputs = List.copyOf(captured);
  }

  @Override
  public List<Output> inputs() {
    return inputs;
  }

  @Override
  public List<Output> outputs() {
    return cond.results();
  }

  @Override
  public List<GradientValue> differentiate(
      Scope outer, List<GradientValue> flows, Predicate<Output> wanted) {
    Scope scope = outer.withSubScope("cond_grad");
    CondBuilder backward =
        CondBuilder.open(
            scope,
            cond.whenTrue().predicate(),
            recall(scope, cond.whenTrue()),
            recall(scope, cond.whenFalse()));
    List<Output> xs = inputs.stream().filter(wanted).toList();
    List<GradientValue> dense = flows.stream().map(f -> dense(scope, f)).toList();
    Map<Output, Output> fromTrue = branch(backward.whenTrue().scope(), cond.whenTrue(), dense, xs);
    Map<Output, Output> fromFalse =
        branch(backward.whenFalse().scope(), cond.whenFalse(), dense, xs);
    List<Output> reached =
        xs.stream().filter(x -> fromTrue.containsKey(x) || fromFalse.containsKey(x)).toList();
    List<Output> results =
        backward
            .close(
                orZeros(backward.whenTrue().scope(), reached, fromTrue, fromFalse),
                orZeros(backward.whenFalse().scope(), reached, fromFalse, fromTrue))
            .results();
    List<GradientValue> shares = new ArrayList<>();
    for (Output input : inputs) {
      int at = reached.indexOf(input);
      shares.add(at < 0 ? GradientValue.none() : results.get(at));
    }
    return shares;
  }

  private static GradientValue dense(Scope scope, GradientValue value) {
    return value instanceof GradientValue.None ? value : Dense.of(scope, value);
  }

  /** The gradients of what one branch uses of {@code xs}. */
  private static Map<Output, Output> branch(
      Scope backward, CondContext forward, List<GradientValue> flows, List<Output> xs) {
    List<Capture> used = forward.captured().stream().filter(c -> xs.contains(c.outside())).toList();
    List<Output> inside = used.stream().map(Capture::inside).toList();
    List<GradientValue> found =
        Differentiation.of(
            backward,
            Optional.of(forward),
            forward.results(),
            inside,
            flows,
            new HashSet<>(inside));
    Map<Output, Output> gradients = new HashMap<>();
    for (int i = 0; i < used.size(); i++) {
      if (!(found.get(i) instanceof GradientValue.None)) {
        gradients.put(used.get(i).outside(), Dense.of(backward, found.get(i)));
      }
    }
    return gradients;
  }

  private static List<Output> orZeros(
      Scope scope, List<Output> xs, Map<Output, Output> own, Map<Output, Output> others) {
    List<Output> all = new ArrayList<>();
    for (Output x : xs) {
      all.add(own.containsKey(x) ? own.get(x) : Dense.zeros(scope, x, others.get(x).type()));
    }
    return all;
  }

  private static ForwardValues recall(Scope scope, CondContext branch) {
    return new ForwardValues(branch, ForwardValues.historyAround(scope.flowContext()));
  }
}
