package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;

/** Functions that a program defines: traced, called, differentiated, written and read again. */
@NoLeaks
class GraphFunctionTest {
  private final Ops tf = Ops.create();
  private final Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.scalar());

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void call_oncePerSignature_isTraced() {
    AtomicInteger traces = new AtomicInteger();
    GraphFunction twice =
        tf.function(
            "twice",
            (f, args) -> {
              traces.incrementAndGet();
              return List.of(f.add(args.get(0), args.get(0)));
            });
    Output y = tf.call(twice, tf.call(twice, x).get(0)).get(0);
    Output vector = tf.call(twice, tf.constant(1f, 2f)).get(0);

    assertThat(traces).hasValue(2);
    assertThat(FunctionLibrary.of(tf.graph()).size()).isEqualTo(2);
    assertThat(y.operation().type()).isEqualTo("PartitionedCall");
    assertThat(vector.shape()).isEqualTo(Shape.of(2));
    assertThat(run(y, 3)).isEqualTo(12);
  }

  @Test
  void close_functionThatNoStepHasReached_freesItsConstants() {
    GraphFunction shift =
        tf.function("shift", (f, args) -> List.of(f.add(args.get(0), f.constant(5f))));

    tf.call(shift, x);

    assertThat(FunctionLibrary.of(tf.graph()).size()).isEqualTo(1);
  }

  @Test
  void call_outerValue_isPassedAlong() {
    Output k = tf.square(x);
    GraphFunction f = tf.function("f", (g, args) -> List.of(g.mul(args.get(0), k)));
    Output y = tf.call(f, tf.constant(2f)).get(0);

    assertThat(y.operation().inputs()).hasSize(2).contains(k);
    assertThat(run(y, 3)).isEqualTo(18);
  }

  @Test
  void call_functionInAFunction_capturesThroughBoth() {
    Output k = tf.square(x);
    GraphFunction inner = tf.function("inner", (g, args) -> List.of(g.mul(args.get(0), k)));
    GraphFunction outer =
        tf.function("outer", (g, args) -> List.of(g.neg(g.call(inner, args.get(0)).get(0))));

    assertThat(run(tf.call(outer, tf.constant(2f)).get(0), 3)).isEqualTo(-18);
  }

  @Test
  void call_variable_isReadAndChangedInside() {
    Variable v = tf.variable("v", tf.constant(1f));
    GraphFunction count =
        tf.function(
            "count",
            (g, args) -> {
              v.in(g).assignAdd(args.get(0));
              return List.of(v.in(g).read());
            });
    Output y = tf.call(count, x).get(0);
    try (Session session = Session.local(tf.graph())) {
      session.runner().target(v.initializer()).run().close();

      assertThat(y.operation().type()).isEqualTo("StatefulPartitionedCall");
      assertThat(run(session, y, 2)).isEqualTo(3);
      assertThat(run(session, y, 2)).isEqualTo(5);
    }
  }

  @Test
  void call_ofItself_isRefused() {
    GraphFunction[] self = new GraphFunction[1];
    self[0] = tf.function("self", (g, args) -> g.call(self[0], g.neg(args.get(0))));
    TributaryException e =
        catchThrowableOfType(TributaryException.class, () -> tf.call(self[0], x));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("function 'self' calls itself");
  }

  @Test
  void toProto_tracedFunction_isReadAgain() {
    Output k = tf.withName("k").square(x);
    GraphFunction f =
        tf.function(
            "f",
            (g, args) -> {
              List<Output> parts = g.array.identityN(List.of(args.get(0), k));
              return List.of(g.mul(parts.get(1), parts.get(0)), args.get(0));
            });
    tf.withName("c").call(f, x);
    GraphDef def = GraphDefs.toProto(tf.graph());
    try (Graph read = new Graph(Ops.registry())) {
      GraphDefs.importInto(read, def);

      assertThat(GraphDefs.toProto(read)).isEqualTo(def);
      assertThat(run(read, "c:0", 3)).isEqualTo(27);
      assertThat(run(read, "c:1", 3)).isEqualTo(3);
    }
    GraphDefs.importInto(tf.graph(), GraphDef.newBuilder().setLibrary(def.getLibrary()).build());
    assertThat(FunctionLibrary.of(tf.graph()).size()).isEqualTo(1);
  }

  // ---- gradients ----

  @Test
  void gradient_ofACall_goesThroughItsBody() {
    Output k = tf.square(x);
    GraphFunction f = tf.function("f", (g, args) -> List.of(g.mul(g.square(args.get(0)), k)));
    Output y = tf.call(f, x).get(0);
    Output dx = gradient(y);

    assertThat(y.operation().name()).isEqualTo("f");
    assertThat(run(dx, 2)).isEqualTo(4 * 8);
    assertThat(run(y, 2)).isEqualTo(16);
  }

  @Test
  void gradient_ofANestedCallWithCondAndLoop_isTheirs() {
    GraphFunction power =
        tf.function(
            "power",
            (g, args) ->
                g.flow
                    .whileLoop(
                        List.of(g.constant(0), args.get(0)),
                        (c, v) -> c.less(v.get(0), c.constant(3)),
                        (b, v) ->
                            List.of(b.add(v.get(0), b.constant(1)), b.mul(v.get(1), args.get(0))))
                    .subList(1, 2));
    GraphFunction either =
        tf.function(
            "either",
            (g, args) ->
                g.flow.cond(
                    g.greater(args.get(0), g.constant(0f)),
                    t -> t.call(power, args.get(0)),
                    e -> List.of(e.neg(args.get(0)))));
    Output dx = gradient(tf.call(either, x).get(0));

    assertThat(run(dx, 2)).isEqualTo(4 * 8);
    assertThat(run(dx, -2)).isEqualTo(-1);
  }

  @Test
  void gradient_ofAVariableInAFunction_isItsGradient() {
    Variable v = tf.variable("v", tf.constant(3f));
    GraphFunction f = tf.function("f", (g, args) -> List.of(g.mul(g.square(v), args.get(0))));
    Output dv = (Output) Gradients.of(tf.call(f, x).get(0), List.of(v)).get(0);
    try (Session session = Session.local(tf.graph())) {
      session.runner().target(v.initializer()).run().close();

      assertThat(run(session, dv, 2)).isEqualTo(12);
    }
  }

  @Test
  void gradient_insideAFunction_isComputedThere() {
    GraphFunction slope =
        tf.function(
            "slope", (g, args) -> Gradients.dense(g, g.square(args.get(0)), List.of(args.get(0))));

    assertThat(run(tf.call(slope, x).get(0), 3)).isEqualTo(6);
  }

  private Output gradient(Output y) {
    return (Output) Gradients.of(y, List.of(x)).get(0);
  }

  private float run(Output y, float value) {
    try (Session session = Session.local(tf.graph())) {
      return run(session, y, value);
    }
  }

  private static float run(Graph graph, String name, float value) {
    try (Session session = Session.local(graph)) {
      return run(session, graph.output(name), value);
    }
  }

  private static float run(Session session, Output y, float value) {
    try (Tensor fed = Tensor.scalar(value);
        StepResult result = session.runner().feed("x:0", fed).fetch(y).run()) {
      return result.get(0).floatValue();
    }
  }
}
