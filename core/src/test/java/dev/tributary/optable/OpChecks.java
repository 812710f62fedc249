package dev.tributary.optable;

import static org.junit.jupiter.api.Assertions.assertAll;

import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The checks of one row. Each throws an AssertionError that names the draw, so that {@code new
 * Draw(seed, type, size)} gives the same call again.
 */
final class OpChecks {
  /** A call that a row drew, and from what. */
  private record DrawnCall(long seed, DataType type, Draw.Size size, OpCall call) {
    Draw draw() {
      return new Draw(seed, type, size);
    }
  }

  private static final double EXAMPLE_TOLERANCE = 1e-6;
  private static final int SEEDS = 3;

  private final OpRegistry registry;
  private final OpRow row;

  OpChecks(OpRegistry registry, OpRow row) {
    this.registry = registry;
    this.row = row;
  }

  /** All checks, of which each is made even if one before it failed. */
  void all() {
    assertAll(
        row.op(), this::completeness, this::examples, this::types, this::gradients, this::scripts);
  }

  /** The row says all that it has to. */
  void completeness() {
    if (row.script().isEmpty()) {
      require(!row.examples().isEmpty(), "the row has neither an example nor a script");
      require(row.generator().isPresent(), "the row has neither a generator nor a script");
    }
    boolean gradientTold = !row.gradientInputs().isEmpty() || row.gradientExcuse().isPresent();
    boolean differentiable = registry.lookup(row.op()).gradient().isPresent();
    require(
        !differentiable || gradientTold,
        "the op has a gradient; the row needs gradientOf or withoutGradientCheck");
  }

  /** Each example gives the outputs it states. */
  void examples() {
    for (int i = 0; i < row.examples().size(); i++) {
      OpRow.Example example = row.examples().get(i);
      try (OpCall call = example.call().get();
          CallSession session = new CallSession(registry);
          StepResult result =
              session.run(CallGraph.of(session.tf(), row.op(), call, UnaryOperator.identity()))) {
        TensorCompare.requireEqual(
            "example " + i, result, example.outputs(), type -> EXAMPLE_TOLERANCE);
      }
    }
  }

  /**
   * Every type runs on every kind of size, leaves its inputs as they are, gives the same when it
   * may reuse their memory, and the shape rule foretells what comes out.
   */
  void types() {
    try (CallSession session = new CallSession(FreshCopy.addedTo(registry))) {
      for (DataType type : row.types()) {
        for (Draw.Size size : Draw.Size.values()) {
          forEachDraw(
              type,
              size,
              size == Draw.Size.ORDINARY ? SEEDS : SEEDS - 1,
              drawn -> run(session, drawn));
        }
      }
    }
  }

  /** The gradient that the graph computes is the slope. */
  void gradients() {
    if (row.gradientInputs().isEmpty()) {
      return;
    }
    List<DataType> types = row.types();
    boolean complex = types.contains(DataType.COMPLEX128);
    if (types.contains(DataType.DOUBLE)) {
      gradients(DataType.DOUBLE);
    } else if (types.contains(DataType.FLOAT) || !complex) {
      gradients(DataType.FLOAT);
    }
    if (complex && row.complexGradientExcuse().isEmpty()) {
      gradients(DataType.COMPLEX128);
    }
  }

  private void gradients(DataType type) {
    for (Draw.Size size : Draw.Size.values()) {
      forEachDraw(
          type,
          size,
          size == Draw.Size.ORDINARY ? SEEDS : 1,
          drawn -> {
            try (CallGradients gradients =
                new CallGradients(registry, row, drawn.call(), drawn.seed())) {
              NumericGradient.require(gradients, drawn.call(), drawn.seed());
            }
          });
    }
  }

  /** The steps of a script give what they must. */
  void scripts() {
    if (row.script().isEmpty()) {
      return;
    }
    for (DataType type : row.types()) {
      for (long seed = 1; seed < SEEDS; seed++) {
        String name = "script, " + type + ", seed " + seed;
        try (Script script = row.script().get().apply(new Draw(seed, type, Draw.Size.ORDINARY));
            Session session = Sessions.local(script.tf().graph())) {
          for (int i = 0; i < script.steps().size(); i++) {
            step(name + ", step " + i, session, script.steps().get(i));
          }
        } catch (RuntimeException e) {
          throw new AssertionError(name + ": " + e, e);
        }
      }
    }
  }

  private static void step(String name, Session session, Script.Step step) {
    StepRunner runner = session.runner().fetch(step.fetches());
    step.feeds().forEach(runner::feed);
    step.targets().forEach(runner::target);
    try (StepResult result = runner.run()) {
      if (!step.expected().isEmpty()) {
        TensorCompare.requireEqual(name, result, step.expected(), type -> EXAMPLE_TOLERANCE);
      }
    }
  }

  private void run(CallSession session, DrawnCall drawn) {
    OpCall call = drawn.call();
    CallGraph fed = CallGraph.fed(session.tf(), row.op(), call);
    try (StepResult result = session.run(fed);
        OpCall again = row.generator().orElseThrow().apply(drawn.draw())) {
      TensorCompare.requireEqual("inputs after the call", call.inputs(), again.inputs(), type -> 0);
      requireSize(drawn.size(), call, result);
      requireForetold("all inputs fed", fed, result);
      shapes(session, call, new Random(drawn.seed()), result);
      if (!registry.lookup(row.op()).def().isStateful()) {
        inPlace(session, call, result);
      }
    }
  }

  private void inPlace(CallSession session, OpCall call, List<Tensor> fed) {
    try (StepResult result = session.run(CallGraph.copied(session.tf(), row.op(), call))) {
      TensorCompare.requireEqual("with inputs that may be overwritten", result, fed, type -> 0);
    }
  }

  private void shapes(CallSession session, OpCall call, Random random, List<Tensor> result) {
    CallGraph known = view(session, call, UnaryOperator.identity());
    requireForetold("all shapes known", known, result);
    requireDefined(known);
    requireForetold(
        "no size known", view(session, call, shape -> Shape.ofRank(shape.rank())), result);
    requireForetold(
        "some sizes known", view(session, call, shape -> someUnknown(shape, random)), result);
    requireForetold("no rank known", view(session, call, shape -> Shape.unknown()), result);
  }

  private CallGraph view(CallSession session, OpCall call, UnaryOperator<Shape> view) {
    return CallGraph.of(session.tf(), row.op(), call, view);
  }

  private static Shape someUnknown(Shape shape, Random random) {
    Shape result = shape;
    for (int i = 0; i < shape.rank(); i++) {
      result = random.nextBoolean() ? result.withSize(i, Shape.UNKNOWN) : result;
    }
    return result;
  }

  private static void requireForetold(String view, CallGraph call, List<Tensor> actual) {
    for (Output output : call.operation().outputs()) {
      Tensor value = actual.get(output.index());
      require(
          output.shape().isCompatibleWith(value.shape()) && output.type() == value.type(),
          "with " + view + ", output " + output + " became " + value);
    }
  }

  private void requireDefined(CallGraph call) {
    for (Output output : call.operation().outputs()) {
      require(
          row.hasValueDependentShape() || output.shape().isFullyDefined(),
          "with all shapes known, " + output + " has a shape that is not fully defined");
    }
  }

  /**
   * A draw for a kind of size must have it, lest a generator that looks away leaves it unchecked.
   */
  private static void requireSize(Draw.Size size, OpCall call, List<Tensor> outputs) {
    if (size != Draw.Size.ORDINARY) {
      boolean empty = size == Draw.Size.EMPTY;
      boolean has =
          Stream.concat(call.inputs().stream(), outputs.stream())
              .anyMatch(tensor -> empty ? tensor.elementCount() == 0 : tensor.rank() == 0);
      String wanted = empty ? "empty" : "a scalar";
      require(
          has,
          "no input or output is "
              + wanted
              + "; if none can be, the row says so by without("
              + size
              + ")");
    }
  }

  private void forEachDraw(DataType type, Draw.Size size, int seeds, Consumer<DrawnCall> check) {
    if (row.generator().isEmpty() || !row.takes(size)) {
      return;
    }
    for (long seed = 1; seed <= seeds; seed++) {
      String name = type + ", " + size + ", seed " + seed;
      try (OpCall call = row.generator().get().apply(new Draw(seed, type, size))) {
        try {
          check.accept(new DrawnCall(seed, type, size, call));
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError(name + ", " + call + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
