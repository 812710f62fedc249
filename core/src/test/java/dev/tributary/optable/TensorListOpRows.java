package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;
import java.util.function.UnaryOperator;

/** Lists and optionals. No variant leaves its graph, so the scripts fetch what is in them. */
final class TensorListOpRows {
  private static final DataType[] TYPES = {FLOAT, DOUBLE, INT32, INT64, BOOL, STRING};
  private static final String BY_SCRIPT = "the script differentiates it, see also TensorListTest";

  private TensorListOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("EmptyTensorList", TensorListOpRows::pushAndPop),
        row("TensorListLength", TensorListOpRows::pushAndPop),
        differentiable("TensorListPushBack", TensorListOpRows::pushAndPop),
        differentiable("TensorListPopBack", TensorListOpRows::pushAndPop),
        row("TensorListReserve", TensorListOpRows::setAndGet),
        differentiable("TensorListGetItem", TensorListOpRows::setAndGet),
        differentiable("TensorListSetItem", TensorListOpRows::setAndGet),
        row("TensorListElementShape", TensorListOpRows::elementShapes),
        differentiable("TensorListFromTensor", TensorListOpRows::rowsOfATensor),
        differentiable("TensorListStack", TensorListOpRows::rowsOfATensor),
        differentiable("TensorListGather", TensorListOpRows::rowsOfATensor),
        differentiable("TensorListResize", TensorListOpRows::resized),
        differentiable("TensorListScatter", TensorListOpRows::scattered),
        differentiable("TensorListScatterV2", TensorListOpRows::scattered),
        differentiable("TensorListScatterIntoExistingList", TensorListOpRows::scattered),
        differentiable("TensorListConcat", TensorListOpRows::joined),
        differentiable("TensorListConcatV2", TensorListOpRows::joined),
        differentiable("TensorListSplit", TensorListOpRows::joined),
        row("TensorListConcatLists", TensorListOpRows::listsInATensor),
        row("TensorListPushBackBatch", TensorListOpRows::listsInATensor),
        differentiable("OptionalFromValue", TensorListOpRows::optionals),
        row("OptionalNone", TensorListOpRows::optionals),
        row("OptionalHasValue", TensorListOpRows::optionals),
        differentiable("OptionalGetValue", TensorListOpRows::optionals));
  }

  private static OpRow row(String op, java.util.function.Function<Draw, Script> script) {
    return OpRow.of(op).script(script).types(TYPES);
  }

  private static OpRow differentiable(String op, java.util.function.Function<Draw, Script> script) {
    return row(op, script).withoutGradientCheck(BY_SCRIPT);
  }

  private static Script pushAndPop(Draw d) {
    Ops tf = Ops.create();
    Output a = drawn(tf, d, Shape.of(2));
    Output b = drawn(tf, d, Shape.of(3));
    Output empty = tf.lists.empty(d.type(), Shape.of(-1));
    Output one = tf.lists.pushBack(empty, a);
    Output two = tf.lists.pushBack(one, b);
    Output longer = tf.lists.resize(two, tf.constant(3));
    List<Output> unset = tf.lists.popBack(longer, d.type(), Shape.of(4));
    List<Output> last = tf.lists.popBack(unset.get(0), d.type(), Shape.of(-1));
    List<Output> first = tf.lists.popBack(last.get(0), d.type(), Shape.unknown());
    Script script =
        Script.on(tf)
            .fetch(unset.get(1), last.get(1), first.get(1))
            .expect(length(tf, empty), Tensor.scalar(0))
            .expect(length(tf, two), Tensor.scalar(2))
            .expect(length(tf, one), Tensor.scalar(1))
            .expect(length(tf, last.get(0)), Tensor.scalar(1))
            .expect(length(tf, first.get(0)), Tensor.scalar(0));
    return withSlope(
        script,
        x -> {
          Output list = tf.lists.pushBack(tf.lists.empty(FLOAT, Shape.of(3)), tf.square(x));
          List<Output> popped = tf.lists.popBack(tf.lists.pushBack(list, x), FLOAT, Shape.of(3));
          Output below = tf.lists.popBack(popped.get(0), FLOAT, Shape.of(3)).get(1);
          return tf.mul(popped.get(1), below); // x^3
        },
        3f,
        12f,
        27f);
  }

  private static Script setAndGet(Draw d) {
    Ops tf = Ops.create();
    Output item = drawn(tf, d, Shape.of(2));
    Output unset = tf.lists.reserve(d.type(), Shape.of(2), tf.constant(3));
    Output first = tf.lists.setItem(unset, tf.constant(1), item);
    Output other = tf.lists.setItem(first, tf.constant(1), drawn(tf, d, Shape.of(2)));
    Output unknown = tf.lists.reserve(d.type(), Shape.unknown(), tf.constant(2));
    Output known = tf.lists.setItem(unknown, tf.constant(0), item);
    Output grown =
        tf.scope()
            .operation("TensorListSetItem")
            .input(unset)
            .input(tf.constant(4))
            .input(item)
            .attr("resize_if_index_out_of_bounds", true)
            .buildOutput();
    Script script =
        Script.on(tf)
            .fetch(
                get(tf, d, first, 1),
                get(tf, d, first, 0),
                get(tf, d, other, 1),
                get(tf, d, grown, 4),
                get(tf, d, grown, 3),
                get(tf, d, known, 1))
            .expect(length(tf, grown), Tensor.scalar(5));
    return withSlope(
        script,
        x -> {
          Output list = tf.lists.reserve(FLOAT, Shape.of(3), tf.constant(2));
          Output one = tf.lists.setItem(list, tf.constant(0), tf.square(x));
          Output twice = tf.lists.setItem(one, tf.constant(0), tf.mul(x, tf.square(x)));
          Output both = tf.lists.setItem(twice, tf.constant(1), x);
          return tf.add(
              tf.mul(item(tf, both, 0), item(tf, both, 1)), // x^4
              item(tf, one, 0)); // x^2
        },
        6f,
        36f,
        114f);
  }

  private static Script elementShapes(Draw d) {
    Ops tf = Ops.create();
    Output some = tf.lists.reserve(d.type(), Shape.of(2, -1), tf.constant(1));
    Output none = tf.lists.reserve(d.type(), Shape.unknown(), tf.constant(1));
    return Script.on(tf)
        .expect(elementShape(tf, some, INT32), Tensor.of(2, -1))
        .expect(elementShape(tf, some, INT64), Tensor.of(2L, -1L))
        .expect(elementShape(tf, none, INT32), Tensor.scalar(-1))
        .expect(elementShape(tf, none, INT64), Tensor.scalar(-1L));
  }

  private static Script rowsOfATensor(Draw d) {
    Ops tf = Ops.create();
    Output rows = drawn(tf, d, Shape.of(3, 2));
    Output list = tf.lists.fromTensor(rows);
    Output longer = tf.lists.resize(list, tf.constant(4));
    Output empty = tf.lists.fromTensor(drawn(tf, d, Shape.of(0, 2)));
    Output wide =
        tf.scope()
            .operation("TensorListFromTensor")
            .input(rows)
            .input(tf.constant(-1L))
            .buildOutput();
    Script script =
        Script.on(tf)
            .fetch(
                tf.lists.stack(list, d.type(), Shape.of(2)),
                tf.lists.stack(longer, d.type(), Shape.unknown()),
                tf.lists.stack(empty, d.type(), Shape.of(-1)),
                tf.lists.stack(wide, d.type(), Shape.unknown()),
                tf.lists.gather(longer, tf.constant(3, 0, 2, 0), d.type(), Shape.of(-1)),
                tf.lists.gather(list, tf.constant(new int[0]), d.type(), Shape.of(2)));
    if (d.type() != BOOL && d.type() != STRING) {
      Output zeros = tf.zerosLike(longer);
      Output sum = tf.addN(List.of(longer, zeros, longer));
      script.fetch(
          tf.lists.stack(sum, d.type(), Shape.of(2)), tf.lists.stack(zeros, d.type(), Shape.of(2)));
    }
    return withSlope(
        script,
        x -> {
          Output squares = tf.lists.fromTensor(tf.square(x));
          Output stacked = tf.lists.stack(squares, FLOAT, Shape.scalar());
          Output turned = tf.lists.gather(squares, tf.constant(0, 1, 2), FLOAT, Shape.scalar());
          return tf.mul(stacked, turned); // x^4
        },
        4f,
        32f,
        108f);
  }

  private static Script resized(Draw d) {
    Ops tf = Ops.create();
    Output list = tf.lists.fromTensor(drawn(tf, d, Shape.of(3, 2)));
    Output shorter = tf.lists.resize(list, tf.constant(1));
    Output again = tf.lists.resize(shorter, tf.constant(2));
    Script script =
        Script.on(tf)
            .fetch(
                tf.lists.stack(shorter, d.type(), Shape.of(2)),
                tf.lists.stack(again, d.type(), Shape.of(2)),
                tf.lists.stack(list, d.type(), Shape.of(2)));
    return withSlope(
        script,
        x -> {
          Output rows = tf.lists.fromTensor(tf.square(x));
          return tf.lists.stack(tf.lists.resize(rows, tf.constant(2)), FLOAT, Shape.scalar());
        },
        2f,
        4f,
        0f);
  }

  private static Script scattered(Draw d) {
    Ops tf = Ops.create();
    Output rows = drawn(tf, d, Shape.of(2, 2));
    Output indices = tf.constant(3, 1);
    Output needed = scatter(tf, rows, indices);
    Output more = scatterV2(tf, rows, indices, 6);
    Output any = scatterV2(tf, rows, indices, -1);
    Output grown = tf.lists.scatter(needed, rows, tf.constant(0, 4));
    Script script =
        Script.on(tf)
            .fetch(
                tf.lists.stack(needed, d.type(), Shape.of(2)),
                tf.lists.stack(more, d.type(), Shape.of(2)),
                tf.lists.stack(any, d.type(), Shape.of(2)),
                tf.lists.stack(grown, d.type(), Shape.of(2)));
    return withSlope(
        script,
        x -> {
          Output order = tf.constant(2, 0, 1);
          Output old = scatter(tf, tf.square(x), order);
          Output list = tf.lists.scatter(scatterV2(tf, x, order, 4), tf.square(x), order);
          return tf.mul(stacked(tf, old, order), stacked(tf, list, order)); // x^4
        },
        4f,
        32f,
        108f);
  }

  private static Script joined(Draw d) {
    Ops tf = Ops.create();
    Output rows = drawn(tf, d, Shape.of(5, 2));
    Output list = tf.lists.split(rows, tf.constant(2L, 0L, 3L));
    Output longer = tf.lists.resize(list, tf.constant(4));
    Output sizes = tf.constant(0L, 0L, 0L, 2L);
    Output padded =
        tf.scope()
            .operation("TensorListConcatV2")
            .input(longer)
            .input(tf.constant(-1, 2))
            .input(sizes)
            .attr("element_dtype", d.type())
            .build()
            .output(0);
    Script script =
        Script.on(tf)
            .fetch(
                tf.lists.concat(list, d.type(), Shape.of(-1, 2)),
                concat(tf, list, d.type(), 0),
                concat(tf, list, d.type(), 1),
                padded);
    return withSlope(
        script,
        x -> {
          Output parts = tf.lists.split(tf.square(x), tf.constant(1L, 2L));
          return tf.mul(
              tf.lists.concat(parts, FLOAT, Shape.of(-1)), concat(tf, parts, FLOAT, 0)); // x^4
        },
        4f,
        32f,
        108f);
  }

  private static Script listsInATensor(Draw d) {
    Ops tf = Ops.create();
    Output rows = drawn(tf, d, Shape.of(2, 3));
    Output a = tf.lists.pushBack(tf.lists.empty(d.type(), Shape.of(3)), drawn(tf, d, Shape.of(3)));
    Output b = tf.lists.empty(d.type(), Shape.of(3));
    Output both = tf.stack(a, b);
    Output pushed =
        tf.scope().operation("TensorListPushBackBatch").input(both).input(rows).buildOutput();
    Output joined = concatLists(tf, d.type(), pushed, both);
    Output single = concatLists(tf, d.type(), a, a);
    Output same = tf.stack(a, a);
    Output twice =
        tf.scope().operation("TensorListPushBackBatch").input(same).input(rows).buildOutput();
    List<Output> lists = tf.unstack(joined, 0);
    List<Output> others = tf.unstack(twice, 0);
    return Script.on(tf)
        .fetch(
            tf.lists.stack(lists.get(0), d.type(), Shape.of(3)),
            tf.lists.stack(lists.get(1), d.type(), Shape.of(3)),
            tf.lists.stack(others.get(0), d.type(), Shape.of(3)),
            tf.lists.stack(others.get(1), d.type(), Shape.of(3)),
            tf.lists.stack(a, d.type(), Shape.of(3)),
            tf.lists.stack(single, d.type(), Shape.of(3)));
  }

  private static Script optionals(Draw d) {
    Ops tf = Ops.create();
    Output value = drawn(tf, d, Shape.of(2));
    Output some = optional(tf, value, tf.constant(7));
    Output none = tf.scope().operation("OptionalNone").buildOutput();
    Script script =
        Script.on(tf)
            .expect(hasValue(tf, some), Tensor.scalar(true))
            .expect(hasValue(tf, none), Tensor.scalar(false))
            .fetch(valueOf(tf, some, d.type(), INT32).get(0))
            .expect(valueOf(tf, some, d.type(), INT32).get(1), Tensor.scalar(7))
            .expect(hasValue(tf, tf.zerosLike(none)), Tensor.scalar(false));
    return withSlope(
        script,
        x -> {
          List<Output> parts =
              valueOf(tf, optional(tf, tf.square(x), tf.constant(7)), FLOAT, INT32);
          return tf.mul(parts.get(0), x); // x^3
        },
        3f,
        12f,
        27f);
  }

  // ---- the ops ----

  private static Output drawn(Ops tf, Draw d, Shape shape) {
    return Constants.taking(tf, d.tensor(shape));
  }

  private static Output length(Ops tf, Output list) {
    return tf.lists.length(list);
  }

  private static Output get(Ops tf, Draw d, Output list, int index) {
    return tf.lists.getItem(list, tf.constant(index), d.type(), Shape.unknown());
  }

  private static Output item(Ops tf, Output list, int index) {
    return tf.lists.getItem(list, tf.constant(index), FLOAT, Shape.of(3));
  }

  private static Output stacked(Ops tf, Output list, Output indices) {
    return tf.lists.gather(list, indices, FLOAT, Shape.scalar());
  }

  private static Output elementShape(Ops tf, Output list, DataType type) {
    return tf.scope()
        .operation("TensorListElementShape")
        .input(list)
        .attr("shape_type", type)
        .buildOutput();
  }

  private static Output scatter(Ops tf, Output rows, Output indices) {
    return tf.scope()
        .operation("TensorListScatter")
        .input(rows)
        .input(indices)
        .input(tf.constant(-1))
        .buildOutput();
  }

  private static Output scatterV2(Ops tf, Output rows, Output indices, int size) {
    return tf.scope()
        .operation("TensorListScatterV2")
        .input(rows)
        .input(indices)
        .input(tf.constant(-1))
        .input(tf.constant(size))
        .buildOutput();
  }

  private static Output concat(Ops tf, Output list, DataType type, int output) {
    return tf.scope()
        .operation("TensorListConcat")
        .input(list)
        .attr("element_dtype", type)
        .build()
        .output(output);
  }

  private static Output concatLists(Ops tf, DataType type, Output a, Output b) {
    return tf.scope()
        .operation("TensorListConcatLists")
        .input(a)
        .input(b)
        .attr("element_dtype", type)
        .buildOutput();
  }

  private static Output optional(Ops tf, Output... components) {
    return tf.scope().operation("OptionalFromValue").inputList(List.of(components)).buildOutput();
  }

  private static Output hasValue(Ops tf, Output optional) {
    return tf.scope().operation("OptionalHasValue").input(optional).buildOutput();
  }

  private static List<Output> valueOf(Ops tf, Output optional, DataType... types) {
    return tf.scope()
        .operation("OptionalGetValue")
        .input(optional)
        .attr("output_types", AttrValue.ofTypes(List.of(types)))
        .attr(
            "output_shapes",
            AttrValue.ofShapes(List.of(types).stream().map(t -> Shape.unknown()).toList()))
        .build()
        .outputs();
  }

  /** The slope of a function at 1, 2 and 3, here and in stock TensorFlow. */
  private static Script withSlope(Script script, UnaryOperator<Output> function, float... wanted) {
    Ops tf = script.tf();
    Output x = tf.constant(1f, 2f, 3f);
    Output slope = (Output) Gradients.of(tf, List.of(function.apply(x)), List.of(x)).get(0);
    return script.expect(slope, Tensor.of(wanted));
  }
}
