package dev.tributary.internal.function;

import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bodies that are not those of a function of the library, but follow from one: that of its
 * gradient, and the parts of a counted loop. The library keeps them. Immutable.
 */
final class DerivedBodies {
  private final FunctionLibrary functions;
  private final OpRegistry registry;

  DerivedBodies(Graph graph) {
    this.functions = FunctionLibrary.of(graph);
    this.registry = graph.registry();
  }

  /** A function without arguments that returns 0. */
  FunctionBody zero() {
    return derived("zero", List.of(), List.of(), (tf, arguments) -> List.of(tf.constant(0)));
  }

  /**
   * The start of a counted loop, for (start, limit, delta); fails if the loop would not come to its
   * end.
   */
  FunctionBody countedStart() {
    return derived(
        "for start",
        List.of(),
        counted(List.of()),
        (tf, arguments) -> {
          Output start = arguments.get(0);
          Output limit = arguments.get(1);
          Output delta = arguments.get(2);
          Output zero = tf.constant(0);
          Output fits =
              tf.logicalOr(
                  tf.logicalOr(
                      tf.logicalAnd(tf.greater(delta, zero), tf.lessEqual(start, limit)),
                      tf.logicalAnd(tf.less(delta, zero), tf.greaterEqual(start, limit))),
                  tf.logicalAnd(tf.equal(delta, zero), tf.equal(start, limit)));
          Operation check =
              tf.scope()
                  .operation("Assert")
                  .input(fits)
                  .inputList(
                      List.of(tf.constant("Invalid start/limit/delta: "), start, limit, delta))
                  .build();
          return List.of(tf.withControlDependencies(check).identity(start));
        });
  }

  /** True while a counted loop continues, for (counter, limit, delta, start, state...). */
  FunctionBody countedCondition(List<DataType> state) {
    return derived(
        "for condition",
        List.of(AttrValue.ofTypes(state)),
        counted(state),
        (tf, arguments) -> {
          Output counter = arguments.get(0);
          Output limit = arguments.get(1);
          Output delta = arguments.get(2);
          Output zero = tf.constant(0);
          return List.of(
              tf.logicalOr(
                  tf.logicalAnd(tf.greater(delta, zero), tf.less(counter, limit)),
                  tf.logicalAnd(tf.less(delta, zero), tf.greater(counter, limit))));
        });
  }

  /** One turn of a counted loop: the body with the counter and the state. */
  FunctionBody countedBody(AttrValue.Function body, List<DataType> state) {
    return derived(
        "for body",
        List.of(body, AttrValue.ofTypes(state)),
        counted(state),
        (tf, arguments) -> {
          Output counter = arguments.get(0);
          List<Output> passed = new ArrayList<>(arguments.subList(3, arguments.size()));
          passed.add(0, counter);
          Operation call =
              tf.scope()
                  .operation("StatefulPartitionedCall")
                  .inputList(passed)
                  .attr("Tout", AttrValue.ofTypes(state))
                  .attr("f", body)
                  .build();
          List<Output> results = new ArrayList<>();
          results.add(tf.add(counter, arguments.get(2)));
          results.add(arguments.get(1));
          results.add(arguments.get(2));
          results.addAll(call.outputs());
          return results;
        });
  }

  private static List<DataType> counted(List<DataType> state) {
    List<DataType> types = new ArrayList<>(List.of(DataType.INT32, DataType.INT32, DataType.INT32));
    types.addAll(state);
    return types;
  }

  /**
   * The gradient of a function, for its arguments and the gradients of its results: gradients of
   * its arguments.
   */
  FunctionBody gradient(AttrValue.Function function) {
    Optional<String> given = Optional.ofNullable(functions.gradients().get(function.name()));
    if (given.isPresent()) {
      return functions.body(new AttrValue.Function(given.get(), function.attributes()));
    }
    AttrValue.Function key = new AttrValue.Function("gradient", Map.of("f", function));
    return functions.derived(key, () -> differentiate(function));
  }

  private FunctionBody differentiate(AttrValue.Function function) {
    Graph body = functions.newBody();
    try {
      Ops tf = new Ops(body.scope());
      List<Output> xs = new ArrayList<>();
      List<Output> ys = copy(tf, function, xs);
      List<Output> dys = new ArrayList<>();
      for (Output y : ys) {
        dys.add(argument(tf, y.type(), xs.size() + dys.size()));
      }
      List<Output> sources = new ArrayList<>();
      List<Output> flows = new ArrayList<>();
      for (int i = 0; i < ys.size(); i++) {
        DataType type = ys.get(i).type();
        if (type.isFloating() || type.isComplex()) {
          sources.add(ys.get(i));
          flows.add(dys.get(i));
        }
      }
      List<GradientValue> found = Gradients.of(tf, sources, xs, flows, List.of());
      List<Output> results = new ArrayList<>();
      for (int i = 0; i < xs.size(); i++) {
        results.add(
            found.get(i) instanceof GradientValue.None
                ? tf.zerosLike(xs.get(i))
                : Dense.of(tf.scope(), found.get(i)));
      }
      List<Output> arguments = new ArrayList<>(xs);
      arguments.addAll(dys);
      return new FunctionBody(
          "gradient of " + function.name(), body, arguments, results, List.of());
    } catch (RuntimeException | Error e) {
      body.close();
      throw e;
    }
  }

  /** Makes what the function does: a call that is inlined when it is differentiated, or an op. */
  private List<Output> copy(Ops tf, AttrValue.Function function, List<Output> xs) {
    Optional<OpDeclaration> op = registry.find(function.name());
    if (op.isPresent() && op.get().has(OpFlag.DIFFERENTIATES_FUNCTION)) {
      throw TributaryException.invalidArgument("a gradient has no gradient of this kind");
    }
    if (op.isPresent()) {
      for (int i = 0; i < op.get().def().inputs().size(); i++) {
        DataType type = op.get().def().inputs().get(i).type().orElseGet(() -> typeOf(function));
        xs.add(argument(tf, type, i));
      }
      OperationBuilder builder = tf.scope().operation(function.name()).flatInputs(xs);
      function.attributes().forEach(builder::attr);
      return builder.build().outputs();
    }
    FunctionBody called = functions.body(function);
    for (Output argument : called.arguments()) {
      xs.add(argument(tf, argument.type(), xs.size()));
    }
    return tf.scope()
        .operation("StatefulPartitionedCall")
        .inputList(xs)
        .attr("Tout", AttrValue.ofTypes(called.results().stream().map(Output::type).toList()))
        .attr("f", function)
        .build()
        .outputs();
  }

  private static DataType typeOf(AttrValue.Function op) {
    AttrValue type = op.attributes().get("T");
    if (type instanceof AttrValue.Type known) {
      return known.value();
    }
    throw TributaryException.invalidArgument(
        "the gradient of op %s needs its attribute 'T', got %s", op.name(), op.attributes());
  }

  private static Output argument(Ops tf, DataType type, int index) {
    return tf.scope()
        .withName("x" + index)
        .operation("_Arg")
        .attr("T", type)
        .attr("index", index)
        .buildOutput();
  }

  /** The results of a derived function. */
  @FunctionalInterface
  private interface Computation {
    List<Output> apply(Ops tf, List<Output> arguments);
  }

  private FunctionBody derived(
      String name, List<AttrValue> details, List<DataType> types, Computation computation) {
    Map<String, AttrValue> attributes = new HashMap<>();
    for (int i = 0; i < details.size(); i++) {
      attributes.put("detail" + i, details.get(i));
    }
    return functions.derived(
        new AttrValue.Function(name, attributes),
        () -> {
          Graph body = functions.newBody();
          try {
            Ops tf = new Ops(body.scope());
            List<Output> arguments = new ArrayList<>();
            types.forEach(type -> arguments.add(argument(tf, type, arguments.size())));
            List<Output> results = computation.apply(tf, List.copyOf(arguments));
            return new FunctionBody(name, body, arguments, results, List.of());
          } catch (RuntimeException | Error e) {
            body.close();
            throw e;
          }
        });
  }
}
