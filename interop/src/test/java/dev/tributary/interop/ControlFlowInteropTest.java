package dev.tributary.interop;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;

/**
 * Conds and loops of our client, and their gradients, run alike here, in stock, and here after a
 * round trip.
 */
@RequiresStockTensorFlow
class ControlFlowInteropTest {
  private final Ops tf = Ops.create();
  private final Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1));
  private final Output n = tf.withName("n").placeholder(DataType.INT32, Shape.scalar());

  @Test
  void cond_eitherBranch_andItsGradient() {
    Output big = tf.greater(n, tf.constant(2));
    Output y = tf.flow.cond(big, t -> List.of(t.square(x)), f -> List.of(f.neg(x))).get(0);

    requireAlikeRewritten(y, 1, 3);
  }

  @Test
  void loop_anyNumberOfTurns_andItsGradient() {
    requireAlikeRewritten(power(tf, x, n), 0, 1, 4);
  }

  @Test
  void condInLoop_branchByTurn_andItsGradient() {
    Output y =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), x),
                (cond, state) -> cond.less(state.get(0), n),
                (body, state) -> {
                  Output even =
                      body.equal(body.math.mod(state.get(0), body.constant(2)), body.constant(0));
                  Output value = state.get(1);
                  List<Output> next =
                      body.flow.cond(
                          even, t -> List.of(t.mul(value, x)), f -> List.of(f.math.sin(value)));
                  return List.of(body.add(state.get(0), body.constant(1)), next.get(0));
                })
            .get(1);

    requireAlikeRewritten(y, 0, 1, 5);
  }

  @Test
  void loopInCond_takenOrNot_andItsGradient() {
    Output big = tf.greater(n, tf.constant(2));
    Output y = tf.flow.cond(big, t -> List.of(power(t, x, n)), f -> List.of(f.exp(x))).get(0);

    requireAlikeRewritten(y, 1, 3);
  }

  @Test
  void loopInLoop_everyTurn_andItsGradient() {
    Output y =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), x),
                (cond, state) -> cond.less(state.get(0), n),
                (body, state) ->
                    List.of(
                        body.add(state.get(0), body.constant(1)),
                        body.tanh(power(body, state.get(1), state.get(0)))))
            .get(1);

    requireAlikeRewritten(y, 0, 1, 3);
  }

  @Test
  void loopInCondInLoop_someTurns_andItsGradient() {
    Output y =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), x),
                (cond, state) -> cond.less(state.get(0), n),
                (body, state) -> {
                  Output even =
                      body.equal(body.math.mod(state.get(0), body.constant(2)), body.constant(0));
                  List<Output> next =
                      body.flow.cond(
                          even,
                          t -> List.of(t.tanh(power(t, state.get(1), state.get(0)))),
                          f -> List.of(f.math.sin(state.get(1))));
                  return List.of(body.add(state.get(0), body.constant(1)), next.get(0));
                })
            .get(1);

    requireAlikeRewritten(y, 0, 1, 2, 6);
  }

  /** x to the power of turns + 1. */
  private static Output power(Ops tf, Output x, Output turns) {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0), x),
            (cond, state) -> cond.less(state.get(0), turns),
            (body, state) ->
                List.of(body.add(state.get(0), body.constant(1)), body.mul(state.get(1), x)))
        .get(1);
  }

  private void requireAlike(Output y, int... turns) {
    Output gradient = Gradients.dense(tf, y, List.of(x)).get(0);
    GraphDef def = GraphDefs.toProto(tf.graph());
    try (StockSession stock = new StockSession(def);
        Session here = Sessions.local(tf.graph());
        Session again = Sessions.local(imported(def))) {
      for (int count : turns) {
        Map<String, Tensor> feeds = feeds(count);
        List<String> fetches = List.of(y.name(), gradient.name());
        List<Tensor> expected = stock.run(feeds, fetches, List.of());
        TensorCompare.requireEqual(
            "here, n = " + count, run(here, feeds, fetches), expected, type -> 1e-5);
        TensorCompare.requireEqual(
            "imported, n = " + count, run(again, feeds, fetches), expected, type -> 1e-5);
      }
    }
  }

  /** As {@link #requireAlike}, and stock may rewrite the graph as it likes. */
  private void requireAlikeRewritten(Output y, int... turns) {
    requireAlike(y, turns);
    Output gradient = Gradients.dense(tf, y, List.of(x)).get(0);
    try (StockSession stock = StockSession.optimized(GraphDefs.toProto(tf.graph()));
        Session here = Sessions.local(tf.graph())) {
      for (int count : turns) {
        Map<String, Tensor> feeds = feeds(count);
        List<String> fetches = List.of(y.name(), gradient.name());
        List<Tensor> expected = stock.run(feeds, fetches, List.of());
        TensorCompare.requireEqual(
            "rewritten, n = " + count, run(here, feeds, fetches), expected, type -> 1e-5);
      }
    }
  }

  private Map<String, Tensor> feeds(int turns) {
    return Map.of(x.name(), Tensor.of(0.5f, -1.25f, 2f), n.name(), Tensor.scalar(turns));
  }

  private static Graph imported(GraphDef def) {
    Graph graph = Ops.create().graph();
    GraphDefs.importInto(graph, def);
    return graph;
  }

  private static List<Tensor> run(
      Session session, Map<String, Tensor> feeds, List<String> fetches) {
    var runner = session.runner();
    feeds.forEach(runner::feed);
    fetches.forEach(runner::fetch);
    try (StepResult result = runner.run()) {
      List<Tensor> values = new ArrayList<>();
      result.forEach(tensor -> values.add(tensor.retain()));
      return values;
    }
  }
}
