package dev.tributary.gradients;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientRule;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.ops.Ops;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds the gradient of a sum of outputs to a graph.
 *
 * <p>Walks back from the {@code ys}, an operation at a time, each one only after all its consumers on the way have given their
 * share; shares of one output are added up. Confined to one call.
 *
 * <pre>{@code
 * List<GradientValue> grads = Gradients.of(tf, List.of(loss), List.of(weights, bias));
 * }</pre>
 */
public final class Gradients {
  private final Scope scope;
  private final Accumulation accumulation;
  private final Set<Output> stops;
  private final Map<Operation, Integer> pending = new HashMap<>();

  private Gradients(Scope scope, Set<Output> stops) {
    this.scope = scope;
    this.stops = stops;
    this.accumulation = new Accumulation(scope);
  }

  /** The gradients of the sum of {@code ys}, one for each of {@code xs}; none where nothing connects them. */
  public static List<GradientValue> of(Ops tf, List<Output> ys, List<Output> xs) {
    return of(tf, ys, xs, List.of(), List.of());
  }

  /**
   * The same with a start and with limits.
   *
   * @param gradYs what flows into each of {@code ys}; empty means ones
   * @param stopGradients outputs behind which nothing is differentiated
   */
  public static List<GradientValue> of(
      Ops tf, List<Output> ys, List<Output> xs, List<Output> gradYs, Collection<Output> stopGradients) {
    if (!gradYs.isEmpty() && gradYs.size() != ys.size()) {
      throw TributaryException.invalidArgument("%d outputs have %d start gradients", ys.size(), gradYs.size());
    }
    Scope scope = tf.scope().withSubScope("gradients");
    return new Gradients(scope, new HashSet<>(stopGradients)).run(ys, xs, gradYs);
  }

  private List<GradientValue> run(List<Output> ys, List<Output> xs, List<Output> gradYs) {
    for (int i = 0; i < ys.size(); i++) {
      requireDifferentiable(ys.get(i));
      accumulation.add(ys.get(i), gradYs.isEmpty() ? ones(ys.get(i)) : checked(gradYs.get(i), ys.get(i)));
    }
    countPending(ys, xs);
    Deque<Operation> ready = new ArrayDeque<>();
    Set<Operation> queued = new HashSet<>();
    for (Output y : ys) {
      if (pending.getOrDefault(y.operation(), 0) == 0 && queued.add(y.operation())) {
        ready.add(y.operation());
      }
    }
    while (!ready.isEmpty()) {
      Operation operation = ready.remove();
      List<? extends GradientValue> shares = differentiate(operation);
      for (int i = 0; i < operation.inputs().size(); i++) {
        Output input = operation.input(i);
        if (!shares.isEmpty() && !stops.contains(input)) {
          accumulation.add(input, shares.get(i));
        }
      }
      for (Output input : operation.inputs()) {
        Integer left = pending.computeIfPresent(input.operation(), (key, n) -> n - 1);
        if (left != null && left == 0 && queued.add(input.operation())) {
          ready.add(input.operation());
        }
      }
    }
    List<GradientValue> result = new ArrayList<>();
    xs.forEach(x -> result.add(accumulation.sum(x)));
    return result;
  }

  /** Counts, for every operation between {@code xs} and {@code ys}, the input edges of consumers that are between them too. */
  private void countPending(List<Output> ys, List<Output> xs) {
    Set<Operation> between = new Reach(ys, xs).operations();
    for (Operation operation : between) {
      pending.putIfAbsent(operation, 0);
    }
    for (Operation operation : between) {
      for (Output input : operation.inputs()) {
        if (between.contains(input.operation())) {
          pending.merge(input.operation(), 1, Integer::sum);
        }
      }
    }
  }

  /** One value for each input, or an empty list if nothing flows through. */
  private List<? extends GradientValue> differentiate(Operation operation) {
    Optional<GradientRule> rule = operation.declaration().gradient();
    if (!pending.containsKey(operation) || rule.isEmpty() || operation.inputs().isEmpty()) {
      return List.of();
    }
    List<GradientValue> flows = new ArrayList<>();
    boolean any = false;
    for (Output output : operation.outputs()) {
      GradientValue flow = accumulation.sum(output);
      any |= !(flow instanceof GradientValue.None);
      flows.add(flow);
    }
    if (!any) {
      return List.of();
    }
    Scope inner = scope.withSubScope(operation.name().substring(operation.name().lastIndexOf('/') + 1) + "_grad");
    if (!operation.declaration().has(OpFlag.PASSES_SLICES)) {
      for (int i = 0; i < flows.size(); i++) {
        flows.set(i, accumulation.dense(flows.get(i), operation.output(i)));
      }
    }
    List<? extends GradientValue> shares = rule.get().apply(inner, operation, flows);
    if (shares.size() != operation.inputs().size()) {
      throw TributaryException.internal(
          "the gradient of %s gave %d values for %d inputs", operation, shares.size(), operation.inputs().size());
    }
    return shares;
  }

  private Output ones(Output y) {
    return scope.operation("OnesLike").input(y).buildOutput();
  }

  private static Output checked(Output gradient, Output y) {
    if (gradient.type() != y.type() || !gradient.shape().isCompatibleWith(y.shape())) {
      throw TributaryException.invalidArgument("the start gradient %s does not fit %s", gradient, y);
    }
    return gradient;
  }

  private static void requireDifferentiable(Output y) {
    if (!y.type().isFloating()) {
      throw TributaryException.invalidArgument("%s has no gradient: only floating-point outputs do", y);
    }
  }
}
