package dev.tributary.train.data;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * The place where a dataset is being built: a graph, or the body of a function of it.
 *
 * @param graphSeed the seed of the graph, which bodies of functions do not have
 * @param freshSeed what a stage without a seed of its own takes in a graph that has one
 */
record Building(Ops tf, OptionalLong graphSeed, LongSupplier freshSeed) {
  /**
   * A function of the graph.
   *
   * @param result what the elements of a dataset are that the function is for
   */
  record Traced<R>(TracedFunction function, ElementSpec<R> result) {
    AttrValue attribute() {
      return new AttrValue.Function(function.name(), Map.of());
    }

    /** The values from outside that each call gets behind its arguments. */
    List<Output> captures() {
      return function.captures();
    }
  }

  static Building in(Ops tf) {
    Graph graph = tf.graph();
    OptionalLong seed = graph.seed().map(OptionalLong::of).orElse(OptionalLong.empty());
    return new Building(tf, seed, graph::size);
  }

  /** The same, in the body of a function or in another scope. */
  Building withOps(Ops other) {
    return new Building(other, graphSeed, freshSeed);
  }

  OpSeeds seeds(OptionalLong seed) {
    return OpSeeds.of(graphSeed, seed, freshSeed);
  }

  /** Starts a dataset op with the inputs that come first. */
  OperationBuilder op(String name, Operand... inputs) {
    OperationBuilder builder = tf.scope().operation(name);
    Arrays.stream(inputs).forEach(builder::input);
    return builder;
  }

  /** Starts a dataset op that calls a function on the elements of its input. */
  OperationBuilder calling(String name, String attribute, Output input, Traced<?> function) {
    return op(name, input).inputList(function.captures()).attr(attribute, function.attribute());
  }

  /** Adds a node whose elements are described by the attributes that most dataset ops have. */
  <E> Built<E> finish(OperationBuilder builder, ElementSpec<E> spec) {
    return finish(builder, "output_types", spec);
  }

  <E> Built<E> finish(OperationBuilder builder, String typesAttribute, ElementSpec<E> spec) {
    return new Built<>(described(builder, typesAttribute, spec).buildOutput(), spec);
  }

  static OperationBuilder described(
      OperationBuilder builder, String typesAttribute, ElementSpec<?> spec) {
    return builder
        .attr(typesAttribute, AttrValue.ofTypes(spec.types()))
        .attr("output_shapes", AttrValue.ofShapes(spec.shapes()));
  }

  /** Traces a function of one element in a body of its own. */
  <E, R> Traced<R> trace(
      String name, ElementSpec<E> argument, BiFunction<Building, E, Flattened<R>> program) {
    return trace(
        name, List.of(argument), (inside, values) -> program.apply(inside, argument.pack(values)));
  }

  /**
   * Traces a function whose arguments are the components of all of these.
   *
   * @param program returns what the function does, and what the elements are that follow from it
   */
  <R> Traced<R> trace(
      String name,
      List<? extends ElementSpec<?>> arguments,
      BiFunction<Building, List<Output>, Flattened<R>> program) {
    AtomicReference<ElementSpec<R>> result = new AtomicReference<>();
    try (Graph examples = new Graph(Ops.registry())) {
      List<Output> like = new ArrayList<>();
      Ops placeholders = new Ops(examples.scope());
      for (ElementSpec<?> argument : arguments) {
        for (int i = 0; i < argument.types().size(); i++) {
          like.add(placeholders.placeholder(argument.types().get(i), argument.shapes().get(i)));
        }
      }
      TracedFunction traced =
          tf.function(
                  name,
                  (body, values) -> {
                    Flattened<R> flat = program.apply(withOps(body), values);
                    result.set(flat.spec());
                    return flat.components();
                  })
              .traced(like);
      return new Traced<>(traced, result.get());
    }
  }

  /** A scalar that a stage takes as an input. */
  Output scalar(long value) {
    return tf.constant(value);
  }

  /** A shape as a vector, with -1 for what is not known. */
  Output vector(Shape shape) {
    return tf.constant(shape.toArray());
  }

  static ElementSpec<Output> strings() {
    return ElementSpec.tensor(DataType.STRING, Shape.scalar());
  }
}
