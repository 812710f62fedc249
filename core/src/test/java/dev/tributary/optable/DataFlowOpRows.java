package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.TensorArray;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

final class DataFlowOpRows {
  private static final String BY_SCRIPT =
      "the script differentiates it, see also ControlFlowGradientsTest";

  private DataFlowOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("StackV2").script(DataFlowOpRows::stack),
        OpRow.of("StackPushV2").script(DataFlowOpRows::stack).types(FLOAT, INT32, BOOL),
        OpRow.of("StackPopV2").script(DataFlowOpRows::stack).types(FLOAT, DOUBLE, INT64),
        OpRow.of("StackCloseV2").script(DataFlowOpRows::closedStack),
        OpRow.of("Stack").script(DataFlowOpRows::oldStack),
        OpRow.of("StackPush").script(DataFlowOpRows::oldStack),
        OpRow.of("StackPop").script(DataFlowOpRows::oldStack),
        OpRow.of("StackClose").script(DataFlowOpRows::oldStack),
        OpRow.of("TensorArrayV3").script(DataFlowOpRows::writeAndRead),
        OpRow.of("TensorArrayGradV3").script(DataFlowOpRows::writeAndRead),
        OpRow.of("TensorArrayWriteV3")
            .script(DataFlowOpRows::writeAndRead)
            .withoutGradientCheck(BY_SCRIPT),
        OpRow.of("TensorArrayReadV3")
            .script(DataFlowOpRows::writeAndRead)
            .withoutGradientCheck(BY_SCRIPT),
        OpRow.of("TensorArrayGatherV3")
            .script(DataFlowOpRows::unstackAndStack)
            .withoutGradientCheck(BY_SCRIPT),
        OpRow.of("TensorArrayScatterV3")
            .script(DataFlowOpRows::unstackAndStack)
            .withoutGradientCheck(BY_SCRIPT),
        OpRow.of("TensorArrayConcatV3")
            .script(DataFlowOpRows::splitAndConcat)
            .withoutGradientCheck(BY_SCRIPT),
        OpRow.of("TensorArraySplitV3")
            .script(DataFlowOpRows::splitAndConcat)
            .withoutGradientCheck(BY_SCRIPT),
        OpRow.of("TensorArraySizeV3").script(DataFlowOpRows::sizeAndClose),
        OpRow.of("TensorArrayCloseV3").script(DataFlowOpRows::sizeAndClose),
        stitch("DynamicStitch"),
        stitch("ParallelDynamicStitch"),
        OpRow.of("DynamicPartition")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f, 4f), Tensor.of(1, 0, 1, 1))
                        .attr("num_partitions", 3),
                Tensor.of(2f),
                Tensor.of(1f, 3f, 4f),
                Tensor.of(new float[0]))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .types(ArrayDraws.COMPLEX)
            .draw(DataFlowOpRows::partition)
            .shapeDependsOnValues()
            .gradientOf(0));
  }

  private static OpRow stitch(String op) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(Tensor.scalar(1), Tensor.of(2, 0))
                    .input(Tensor.of(7f, 8f))
                    .input(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f))
                    .attr("N", 2)
                    .attr("T", FLOAT),
            Tensor.of(Shape.of(3, 2), 3f, 4f, 7f, 8f, 1f, 2f))
        .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
        .types(ArrayDraws.COMPLEX)
        .draw(DataFlowOpRows::parts)
        .shapeDependsOnValues()
        .gradientOf(2, 3);
  }

  /** A permutation of some rows, cut in two. */
  private static OpCall parts(Draw d) {
    Shape slice = d.size() == Draw.Size.SCALAR ? Shape.scalar() : d.shape(0, 2);
    int rows = d.integer(2, 6);
    int cut = d.size() == Draw.Size.SCALAR ? 1 : d.integer(1, rows - 1);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      order.add(i);
    }
    Collections.shuffle(order, d.random());
    int[] first = order.subList(0, cut).stream().mapToInt(Integer::intValue).toArray();
    int[] second = order.subList(cut, rows).stream().mapToInt(Integer::intValue).toArray();
    boolean scalar = d.size() == Draw.Size.SCALAR;
    Tensor firstIndices = scalar ? Tensor.scalar(first[0]) : Tensor.of(first);
    Shape firstShape = scalar ? slice : Shape.of(cut).concatenate(slice);
    return OpCall.of(firstIndices, Tensor.of(second))
        .input(d.tensor(firstShape))
        .input(d.tensor(Shape.of(rows - cut).concatenate(slice)))
        .attr("N", 2)
        .attr("T", d.type());
  }

  private static OpCall partition(Draw d) {
    Shape shape = d.size() == Draw.Size.SCALAR ? Shape.scalar() : d.shape(1, 3);
    Shape prefix = shape.slice(0, d.size() == Draw.Size.SCALAR ? 0 : d.integer(1, shape.rank()));
    int count = d.integer(1, 4);
    return OpCall.of(d.tensor(shape), d.indices(INT32, prefix, 0, count))
        .attr("num_partitions", count);
  }

  private static Script stack(Draw d) {
    Ops tf = Ops.create();
    Output handle = tf.dataFlow.stackV2(d.type());
    Output first = tf.dataFlow.stackPushV2(handle, Constants.taking(tf, d.tensor(Shape.of(2))));
    Output second =
        tf.withControlDependencies(first.operation())
            .dataFlow
            .stackPushV2(handle, Constants.taking(tf, d.tensor(Shape.of(3))));
    Output popped =
        tf.withControlDependencies(second.operation()).dataFlow.stackPopV2(handle, d.type());
    Output last =
        tf.withControlDependencies(popped.operation()).dataFlow.stackPopV2(handle, d.type());
    return Script.on(tf).fetch(first, second, popped, last);
  }

  private static Script closedStack(Draw d) {
    Ops tf = Ops.create();
    Output handle = tf.dataFlow.stackV2(FLOAT);
    Output pushed = tf.dataFlow.stackPushV2(handle, tf.constant(1f));
    return Script.on(tf)
        .run(tf.withControlDependencies(pushed.operation()).dataFlow.stackCloseV2(handle));
  }

  private static Script oldStack(Draw d) {
    Ops tf = Ops.create();
    Output handle = tf.scope().operation("Stack").attr("elem_type", FLOAT).buildOutput();
    Output pushed =
        tf.scope().operation("StackPush").input(handle).input(tf.constant(5f)).buildOutput();
    Output popped =
        tf.withControlDependencies(pushed.operation())
            .scope()
            .operation("StackPop")
            .input(handle)
            .attr("elem_type", FLOAT)
            .buildOutput();
    Operation close =
        tf.withControlDependencies(popped.operation())
            .scope()
            .operation("StackClose")
            .input(handle)
            .build();
    return Script.on(tf)
        .step(Map.of(), List.of(popped), List.of(close), List.of(Tensor.scalar(5f)));
  }

  private static Script writeAndRead(Draw d) {
    Ops tf = Ops.create();
    Output x = tf.constant(1f, 2f);
    TensorArray array = TensorArray.of(tf, FLOAT, Shape.of(2), tf.constant(2), false, false);
    TensorArray written = array.write(tf.constant(0), x).write(tf.constant(1), tf.mul(x, x));
    Output y =
        tf.add(
            tf.mul(written.read(tf.constant(0)), written.read(tf.constant(1))),
            written.read(tf.constant(1)));
    Output slope = (Output) Gradients.of(tf, List.of(y), List.of(x)).get(0);
    return Script.on(tf).expect(y, Tensor.of(2f, 12f)).expect(slope, Tensor.of(5f, 16f));
  }

  private static Script unstackAndStack(Draw d) {
    Ops tf = Ops.create();
    Output x = tf.constant(Shape.of(2, 2), 1f, 2f, 3f, 4f);
    TensorArray array = TensorArray.of(tf, FLOAT, Shape.of(2), tf.constant(2)).unstack(x);
    Output stacked = array.stack();
    Output slope = (Output) Gradients.of(tf, List.of(tf.mul(stacked, stacked)), List.of(x)).get(0);
    return Script.on(tf)
        .expect(stacked, Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f))
        .expect(slope, Tensor.of(Shape.of(2, 2), 2f, 4f, 6f, 8f));
  }

  private static Script splitAndConcat(Draw d) {
    Ops tf = Ops.create();
    Output x = tf.constant(1f, 2f, 3f);
    TensorArray array =
        TensorArray.of(tf, FLOAT, Shape.unknown(), tf.constant(2)).split(x, tf.constant(1L, 2L));
    Output joined = array.concat();
    Output slope = (Output) Gradients.of(tf, List.of(tf.mul(joined, joined)), List.of(x)).get(0);
    return Script.on(tf).expect(joined, Tensor.of(1f, 2f, 3f)).expect(slope, Tensor.of(2f, 4f, 6f));
  }

  private static Script sizeAndClose(Draw d) {
    Ops tf = Ops.create();
    TensorArray array = TensorArray.of(tf, FLOAT, Shape.scalar(), tf.constant(2), true, true);
    Output size = array.write(tf.constant(6), tf.constant(1f)).size();
    Ops after = tf.withControlDependencies(size.operation());
    return Script.on(tf)
        .step(
            Map.of(),
            List.of(size),
            List.of(array.withFlow(after, array.flow()).close()),
            List.of(Tensor.scalar(7)));
  }
}
