package dev.tributary.gradients;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.Capture;
import dev.tributary.internal.flow.LoopSettings;
import dev.tributary.internal.flow.LoopVariable;
import dev.tributary.internal.flow.WhileBuilder;
import dev.tributary.internal.flow.WhileContext;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A while loop. Its gradient is a loop that runs as many times: it carries the gradients of the
 * variables from the end of an iteration to its start, and adds up those of the values that are the
 * same in all iterations.
 */
final class LoopPart implements Part {
  private final WhileContext loop;
  private final List<LoopVariable> variables;
  private final List<Capture> captured;

  LoopPart(WhileContext loop) {
    this.loop = loop;
    this.variables = loop.variables();
    this.captured = loop.captured();
  }

  /** The initial values of the variables, then the constants of the loop. */
  @Override
  public List<Output> inputs() {
    List<Output> all = new ArrayList<>();
    variables.forEach(v -> all.add(v.initial()));
    captured.forEach(c -> all.add(c.outside()));
    return all;
  }

  @Override
  public List<Output> outputs() {
    return variables.stream().map(LoopVariable::exit).toList();
  }

  @Override
  public List<GradientValue> differentiate(
      Scope scope, List<GradientValue> flows, Predicate<Output> wanted) {
    if (loop.isGradient()) {
      throw TributaryException.unimplemented(
          "%s computes a gradient, and second derivatives do not go through while loops", loop);
    }
    List<Capture> constants = captured.stream().filter(c -> wanted.test(c.outside())).toList();
    List<LoopVariable> active = active(wanted, constants);
    Map<Output, GradientValue> gradients = new HashMap<>();
    if (active.stream().anyMatch(v -> !(flowOf(v, flows) instanceof GradientValue.None))) {
      new Backward(scope, active, constants, flows).build(gradients);
    }
    List<GradientValue> shares = new ArrayList<>();
    variables.forEach(v -> shares.add(gradients.getOrDefault(v.inBody(), GradientValue.none())));
    captured.forEach(c -> shares.add(gradients.getOrDefault(c.inside(), GradientValue.none())));
    return shares;
  }

  private GradientValue flowOf(LoopVariable variable, List<GradientValue> flows) {
    return flows.get(variables.indexOf(variable));
  }

  /**
   * The variables that can have a gradient and depend on something wanted, at once or after some
   * iterations.
   */
  private List<LoopVariable> active(Predicate<Output> wanted, List<Capture> constants) {
    Set<LoopVariable> found = new HashSet<>();
    variables.stream().filter(v -> wanted.test(v.initial())).forEach(found::add);
    Set<Output> starts = new HashSet<>();
    constants.forEach(c -> starts.add(c.inside()));
    int before;
    do {
      before = found.size();
      found.forEach(v -> starts.add(v.inBody()));
      Territory body = new Territory(Optional.of(loop));
      Set<Part> reached = new Reach(body, results(variables), starts, stops()).parts();
      for (LoopVariable variable : variables) {
        Output result = variable.result();
        if (starts.contains(result)
            || body.producerOf(result).filter(reached::contains).isPresent()) {
          found.add(variable);
        }
      }
    } while (found.size() > before);
    return variables.stream()
        .filter(v -> found.contains(v) && Dense.hasZeros(v.initial().type()))
        .toList();
  }

  /**
   * Returns where an iteration begins: a walk back through the body must not run into the iteration
   * before.
   */
  private Set<Output> stops() {
    Set<Output> stops = new HashSet<>();
    variables.forEach(v -> stops.add(v.inBody()));
    captured.forEach(c -> stops.add(c.inside()));
    return stops;
  }

  private static List<Output> results(List<LoopVariable> of) {
    return of.stream().map(LoopVariable::result).toList();
  }

  /** The backward loop in the making. */
  private final class Backward {
    private final Scope scope;
    private final List<LoopVariable> active;
    private final List<Capture> constants;
    private final List<GradientValue> flows;
    private final LoopHistory history;
    private final Map<Capture, LoopVariable> sums = new HashMap<>();

    Backward(
        Scope outer,
        List<LoopVariable> active,
        List<Capture> constants,
        List<GradientValue> flows) {
      String[] names = loop.frame().split("/");
      this.scope =
          outer.withSubScope((names.length > 1 ? names[names.length - 2] : names[0]) + "_grad");
      this.active = active;
      this.constants = constants;
      this.flows = flows;
      this.history = new LoopHistory(loop, ForwardValues.historyAround(outer.flowContext()));
    }

    void build(Map<Output, GradientValue> gradients) {
      List<Output> start = new ArrayList<>(List.of(history.count()));
      List<Shape> shapes = new ArrayList<>(List.of(Shape.scalar()));
      for (LoopVariable variable : active) {
        start.add((Output) Dense.orZeros(scope, flowOf(variable, flows), variable.exit()));
        shapes.add(variable.atStart().shape());
      }
      WhileContext backward =
          WhileBuilder.build(
              scope,
              new LoopSettings(
                  loop.parallelIterations(),
                  shapes,
                  Optional.of(new ForwardValues(loop, Optional.of(history)))),
              start,
              (inside, values) ->
                  inside
                      .operation("Greater")
                      .input(values.get(0))
                      .input(Dense.constant(inside, Tensor.scalar(0)))
                      .buildOutput(),
              this::body);
      history.end(backward.variables().get(0));
      for (int i = 0; i < active.size(); i++) {
        gradients.put(active.get(i).inBody(), backward.variables().get(i + 1).exit());
      }
      sums.forEach((constant, sum) -> gradients.put(constant.inside(), sum.exit()));
    }

    private List<Output> body(WhileContext backward, List<Output> values) {
      Scope inside = backward.scope();
      List<Output> next = new ArrayList<>(List.of(history.countDown(inside, values.get(0))));
      List<Output> xs = new ArrayList<>();
      active.forEach(v -> xs.add(v.inBody()));
      constants.forEach(c -> xs.add(c.inside()));
      List<GradientValue> found =
          Differentiation.of(
              inside,
              Optional.of(loop),
              results(active),
              xs,
              values.subList(1, values.size()),
              stops());
      for (int i = 0; i < active.size(); i++) {
        next.add((Output) Dense.orZeros(inside, found.get(i), active.get(i).inBody()));
      }
      for (int i = 0; i < constants.size(); i++) {
        GradientValue share = found.get(active.size() + i);
        if (!(share instanceof GradientValue.None)) {
          sums.put(constants.get(i), addUp(backward, constants.get(i), Dense.of(inside, share)));
        }
      }
      return next;
    }

    private LoopVariable addUp(WhileContext backward, Capture constant, Output share) {
      Scope names = scope.withName("b_acc");
      Output initial = Dense.zeros(names, constant.outside(), share.type());
      LoopVariable sum = backward.addVariable(names, initial);
      Scope inside = backward.scope().withName("b_acc");
      Output added =
          share.type() == DataType.VARIANT
              ? inside.operation("AddN").inputList(List.of(sum.inBody(), share)).buildOutput()
              : inside.operation("Add").input(sum.inBody()).input(share).buildOutput();
      backward.close(names, sum, added);
      return sum;
    }
  }
}
