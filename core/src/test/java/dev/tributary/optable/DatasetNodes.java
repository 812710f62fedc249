package dev.tributary.optable;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/** Builds pipelines of dataset ops whose elements have the same types and unknown shapes. */
final class DatasetNodes {
  /** Functions in functions end up in one library. */
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final Ops tf;
  private final List<DataType> types;

  DatasetNodes(DataType... types) {
    this(Ops.create(), List.of(types));
  }

  DatasetNodes(Ops tf, List<DataType> types) {
    this.tf = tf;
    this.types = types;
  }

  /** The same in the body of a function. */
  DatasetNodes in(Ops body) {
    return new DatasetNodes(body, types);
  }

  Output slices(Tensor... components) {
    return ofTensors("TensorSliceDataset", components);
  }

  /** A source whose components are constants; the tensors are closed. */
  Output ofTensors(String op, Tensor... components) {
    List<Output> inputs = Arrays.stream(components).map(this::constant).toList();
    return tf.scope()
        .operation(op)
        .inputList(inputs)
        .attr("output_shapes", shapes(components.length))
        .buildOutput();
  }

  Output range(long start, long stop, long step) {
    return tf.scope()
        .operation("RangeDataset")
        .input(scalar(start))
        .input(scalar(stop))
        .input(scalar(step))
        .attr("output_types", AttrValue.ofTypes(List.of(DataType.INT64)))
        .attr("output_shapes", shapes(1))
        .buildOutput();
  }

  /** A transformation with scalar arguments. */
  Output of(String op, Output input, Object... arguments) {
    return builder(op, input, arguments).buildOutput();
  }

  OperationBuilder builder(String op, Output input, Object... arguments) {
    OperationBuilder builder = tf.scope().operation(op).input(input);
    for (Object argument : arguments) {
      builder.input(argument(argument));
    }
    return elements(builder);
  }

  /** A transformation with a function. */
  Output calling(
      String op, String attribute, Output input, BiFunction<Ops, List<Output>, List<Output>> body) {
    return calling(op, attribute, types, input, body);
  }

  /**
   * @param from the types of the input's elements
   */
  Output calling(
      String op,
      String attribute,
      List<DataType> from,
      Output input,
      BiFunction<Ops, List<Output>, List<Output>> body) {
    return calling(op, attribute, from, input, List.of(), body).buildOutput();
  }

  /**
   * @param arguments the inputs behind those that the function uses from outside
   */
  OperationBuilder calling(
      String op,
      String attribute,
      List<DataType> from,
      Output input,
      List<Object> arguments,
      BiFunction<Ops, List<Output>, List<Output>> body) {
    TracedFunction traced = trace(from, body);
    OperationBuilder builder = tf.scope().operation(op).input(input).inputList(traced.captures());
    arguments.forEach(argument -> builder.input(argument(argument)));
    return elements(builder.attr(attribute, new AttrValue.Function(traced.name(), Map.of())));
  }

  TracedFunction trace(List<DataType> from, BiFunction<Ops, List<Output>, List<Output>> body) {
    List<Output> like = new ArrayList<>();
    from.forEach(type -> like.add(tf.placeholder(type, Shape.unknown())));
    return tf.function("f" + NUMBER.getAndIncrement(), body).traced(like);
  }

  Output iterator() {
    return elements(
            tf.scope().operation("IteratorV2").attr("shared_name", "").attr("container", ""))
        .buildOutput();
  }

  Output oneShot(String factory) {
    return elements(
            tf.scope()
                .operation("OneShotIterator")
                .attr("dataset_factory", new AttrValue.Function(factory, Map.of())))
        .buildOutput();
  }

  Operation make(Output dataset, Output iterator) {
    return tf.scope().operation("MakeIterator").input(dataset).input(iterator).build();
  }

  Output[] next(String op, Output iterator) {
    return elements(tf.scope().operation(op).input(iterator))
        .build()
        .outputs()
        .toArray(Output[]::new);
  }

  Output hasNext(Output iterator) {
    Output optional = next("IteratorGetNextAsOptional", iterator)[0];
    return tf.scope().operation("OptionalHasValue").input(optional).buildOutput();
  }

  /** Gets all elements of a dataset, twice, and the end after each time. */
  Script script(Output dataset, int elements) {
    Output iterator = iterator();
    Operation initializer = make(dataset, iterator);
    Output[] next = next("IteratorGetNext", iterator);
    Output hasNext = hasNext(iterator);
    Script script = Script.on(tf);
    for (int pass = 0; pass < 2; pass++) {
      script.run(initializer);
      for (int i = 0; i < elements; i++) {
        script.fetch(next);
      }
      script.expect(hasNext, Tensor.scalar(false)).expect(hasNext, Tensor.scalar(false));
    }
    return script;
  }

  /** A constant that takes over the caller's tensor. */
  Output constant(Tensor value) {
    try (value) {
      return tf.constant(value);
    }
  }

  Operand argument(Object value) {
    if (value instanceof Output output) {
      return output;
    }
    if (value instanceof Integer number) {
      return tf.constant(number.intValue());
    }
    if (value instanceof String text) {
      return tf.constant(text);
    }
    return value instanceof Boolean truth ? tf.constant(truth) : tf.constant((long) value);
  }

  private Operand scalar(long value) {
    return tf.constant(value);
  }

  OperationBuilder elements(OperationBuilder builder) {
    return builder
        .attr("output_types", AttrValue.ofTypes(types))
        .attr("output_shapes", shapes(types.size()));
  }

  private static AttrValue shapes(int count) {
    List<Shape> shapes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shapes.add(Shape.unknown());
    }
    return AttrValue.ofShapes(shapes);
  }
}
