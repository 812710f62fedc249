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
import dev.tributary.ops.WhileOptions;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

final class FlowOpRows {
  private static final String BY_LOOPS =
      "conds and loops are differentiated as wholes, see ControlFlowGradientsTest";

  private FlowOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("NoOp").script(FlowOpRows::targets),
        OpRow.of("ControlTrigger").script(FlowOpRows::trigger),
        OpRow.of("Abort")
            .script(d -> notTaken(tf -> tf.flow.abort("never")))
            .withoutStock("stock ends the process"),
        OpRow.of("Switch")
            .script(FlowOpRows::switchAndMerge)
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .withoutGradientCheck(BY_LOOPS),
        OpRow.of("Merge").script(FlowOpRows::branches).withoutGradientCheck(BY_LOOPS),
        OpRow.of("Enter").script(d -> power(1)).withoutGradientCheck(BY_LOOPS),
        OpRow.of("Exit").script(d -> power(10)).withoutGradientCheck(BY_LOOPS),
        OpRow.of("NextIteration").script(FlowOpRows::nested).withoutGradientCheck(BY_LOOPS),
        OpRow.of("LoopCond").script(FlowOpRows::collatz),
        OpRow.of("RefIdentity").script(FlowOpRows::referenceInLoop).withoutGradientCheck(BY_LOOPS),
        OpRow.of("RefSwitch").script(FlowOpRows::references).withoutGradientCheck(BY_LOOPS),
        OpRow.of("RefMerge").script(FlowOpRows::references).withoutGradientCheck(BY_LOOPS),
        OpRow.of("RefEnter").script(FlowOpRows::referenceInFrame).withoutGradientCheck(BY_LOOPS),
        OpRow.of("RefExit").script(FlowOpRows::referenceInFrame).withoutGradientCheck(BY_LOOPS),
        OpRow.of("RefNextIteration")
            .script(FlowOpRows::referenceInLoop)
            .withoutGradientCheck(BY_LOOPS));
  }

  private static Script targets(Draw d) {
    Ops tf = Ops.create();
    Operation first = tf.noOp();
    return Script.on(tf).run(tf.group(List.of(first, tf.noOp())));
  }

  private static Script trigger(Draw d) {
    Ops tf = Ops.create();
    List<Output> sides = tf.flow.switchOn(tf.constant(1f), tf.constant(true));
    Operation dead = tf.identity(sides.get(0)).operation();
    Operation trigger = tf.withControlDependencies(dead).flow.controlTrigger();
    return Script.on(tf)
        .expect(tf.withControlDependencies(trigger).identity(tf.constant(2f)), Tensor.scalar(2f));
  }

  static Script notTaken(Function<Ops, Operation> deadEnd) {
    Ops tf = Ops.create();
    Output result =
        tf.flow
            .cond(
                tf.constant(false),
                t -> List.of(t.withControlDependencies(deadEnd.apply(t)).constant(1f)),
                f -> List.of(f.constant(2f)))
            .get(0);
    return Script.on(tf).expect(result, Tensor.scalar(2f));
  }

  private static Script switchAndMerge(Draw d) {
    Ops tf = Ops.create();
    Output predicate = tf.placeholder(BOOL, Shape.scalar());
    Output data = Constants.taking(tf, d.tensor(d.shape(0, 3)));
    List<Output> sides = tf.flow.switchOn(data, predicate);
    List<Output> merged =
        tf.flow.merge(List.of(tf.identity(sides.get(0)), tf.identity(sides.get(1))));
    return Script.on(tf)
        .step(Map.of(predicate, Tensor.scalar(true)), merged, List.of(), List.of())
        .step(Map.of(predicate, Tensor.scalar(false)), merged, List.of(), List.of());
  }

  private static Script branches(Draw d) {
    Ops tf = Ops.create();
    Output predicate = tf.placeholder(BOOL, Shape.scalar());
    Output x = tf.constant(3f);
    List<Output> both =
        tf.flow.cond(
            predicate, t -> List.of(t.mul(x, x), x), f -> List.of(f.neg(x), f.constant(0f)));
    List<Output> slope = List.of((Output) Gradients.of(tf, both, List.of(x)).get(0));
    return Script.on(tf)
        .step(
            Map.of(predicate, Tensor.scalar(true)),
            both,
            List.of(),
            List.of(Tensor.scalar(9f), Tensor.scalar(3f)))
        .step(
            Map.of(predicate, Tensor.scalar(false)),
            both,
            List.of(),
            List.of(Tensor.scalar(-3f), Tensor.scalar(0f)))
        .step(Map.of(predicate, Tensor.scalar(true)), slope, List.of(), List.of(Tensor.scalar(7f)))
        .step(
            Map.of(predicate, Tensor.scalar(false)), slope, List.of(), List.of(Tensor.scalar(-1f)));
  }

  private static Script power(int parallelIterations) {
    Ops tf = Ops.create();
    Output n = tf.placeholder(INT32, Shape.scalar());
    Output x = tf.constant(2f);
    Output power =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), tf.constant(1f)),
                (t, v) -> t.less(v.get(0), n),
                (t, v) -> List.of(t.add(v.get(0), t.constant(1)), t.mul(v.get(1), x)),
                WhileOptions.defaults().withParallelIterations(parallelIterations))
            .get(1);
    Output slope = (Output) Gradients.of(tf, List.of(power), List.of(x)).get(0);
    List<Output> both = List.of(power, slope);
    return Script.on(tf)
        .step(
            Map.of(n, Tensor.scalar(0)),
            both,
            List.of(),
            List.of(Tensor.scalar(1f), Tensor.scalar(0f)))
        .step(
            Map.of(n, Tensor.scalar(5)),
            both,
            List.of(),
            List.of(Tensor.scalar(32f), Tensor.scalar(80f)));
  }

  /** The sum of i * j over j below i below 5, twice differentiable loops in one another. */
  private static Script nested(Draw d) {
    Ops tf = Ops.create();
    Output weight = tf.constant(2f);
    Output sum =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), tf.constant(0f)),
                (t, v) -> t.less(v.get(0), t.constant(5)),
                (t, v) -> {
                  Output i = v.get(0);
                  Output inner =
                      t.flow
                          .whileLoop(
                              List.of(t.constant(0), v.get(1)),
                              (u, w) -> u.less(w.get(0), i),
                              (u, w) -> {
                                Output product = u.cast(u.mul(i, w.get(0)), FLOAT);
                                return List.of(
                                    u.add(w.get(0), u.constant(1)),
                                    u.add(w.get(1), u.mul(weight, product)));
                              })
                          .get(1);
                  return List.of(t.add(i, t.constant(1)), inner);
                })
            .get(1);
    Output slope = (Output) Gradients.of(tf, List.of(sum), List.of(weight)).get(0);
    return Script.on(tf).expect(sum, Tensor.scalar(70f)).expect(slope, Tensor.scalar(35f));
  }

  private static Script collatz(Draw d) {
    Ops tf = Ops.create();
    Output steps =
        tf.flow
            .whileLoop(
                List.of(tf.constant(27), tf.constant(0)),
                (t, v) -> t.notEqual(v.get(0), t.constant(1)),
                (t, v) -> {
                  Output n = v.get(0);
                  Output next =
                      t.flow
                          .cond(
                              t.equal(t.math.floorMod(n, t.constant(2)), t.constant(0)),
                              a -> List.of(a.math.floorDiv(n, a.constant(2))),
                              b -> List.of(b.add(b.mul(n, b.constant(3)), b.constant(1))))
                          .get(0);
                  return List.of(next, t.add(v.get(1), t.constant(1)));
                })
            .get(1);
    return Script.on(tf).expect(steps, Tensor.scalar(111));
  }

  private static Output variable(Ops tf) {
    return tf.scope()
        .operation("VariableV2")
        .attr("dtype", FLOAT)
        .attr("shape", Shape.scalar())
        .buildOutput();
  }

  private static Operation assign(Ops tf, Output variable, float value) {
    return tf.scope().operation("Assign").input(variable).input(tf.constant(value)).build();
  }

  private static Script references(Draw d) {
    Ops tf = Ops.create();
    Output variable = variable(tf);
    Operation init = assign(tf, variable, 4f);
    List<Output> sides = tf.flow.switchOn(variable, tf.constant(true));
    Output merged = tf.flow.merge(sides).get(0);
    return Script.on(tf).run(init).expect(tf.identity(merged), Tensor.scalar(4f));
  }

  private static Script referenceInFrame(Draw d) {
    Ops tf = Ops.create();
    Output variable = variable(tf);
    Operation init = assign(tf, variable, 4f);
    Output entered =
        tf.scope().operation("RefEnter").input(variable).attr("frame_name", "frame").buildOutput();
    Output left = tf.scope().operation("RefExit").input(entered).buildOutput();
    return Script.on(tf).run(init).expect(tf.identity(left), Tensor.scalar(4f));
  }

  private static Script referenceInLoop(Draw d) {
    Ops tf = Ops.create();
    Output variable = variable(tf);
    Operation init = assign(tf, variable, 4f);
    List<Output> end =
        tf.flow.whileLoop(
            List.of(tf.constant(0), variable),
            (t, v) -> t.less(v.get(0), t.constant(3)),
            (t, v) -> List.of(t.add(v.get(0), t.constant(1)), v.get(1)));
    return Script.on(tf).run(init).expect(tf.identity(end.get(1)), Tensor.scalar(4f));
  }
}
