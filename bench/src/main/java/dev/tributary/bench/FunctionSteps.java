package dev.tributary.bench;

import dev.tributary.bench.network.Network;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.Ops;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Map;

/** Steps that spend their time in functions: calls in a loop, and a functional loop. */
public final class FunctionSteps {
  private static final int OPS_OF_BODY = 5;
  private static final float X = 0.5f;

  private FunctionSteps() {}

  /** A loop that calls a function of two tiny ops so many times; feeds x and fetches a scalar. */
  public static PreparedGraph calls(int count, SessionOptions options) {
    return prepared(calls(count), options);
  }

  static Network calls(int count) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    GraphFunction small =
        tf.function("small", (f, args) -> List.of(OpChain.append(f, args.get(0), x, 2)));
    Output last =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), x),
                (cond, state) -> cond.less(state.get(0), cond.constant(count)),
                (body, state) ->
                    List.of(
                        body.add(state.get(0), body.constant(1)),
                        body.call(small, state.get(1)).get(0)))
            .get(1);
    return Network.computing(new Network.Feed(x, Shape.scalar(), X), last);
  }

  /** A functional loop of so many iterations of five tiny ops; feeds x and fetches a scalar. */
  public static PreparedGraph loop(int iterations, SessionOptions options) {
    return prepared(loop(iterations), options);
  }

  static Network loop(int iterations) {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    List<Output> initial = List.of(tf.constant(0), tf.identity(x), x);
    GraphFunction cond =
        tf.function("below", (f, state) -> List.of(f.less(state.get(0), f.constant(iterations))));
    GraphFunction body =
        tf.function(
            "step",
            (f, state) ->
                List.of(
                    f.add(state.get(0), f.constant(1)),
                    OpChain.append(f, state.get(1), state.get(2), OPS_OF_BODY - 1),
                    state.get(2)));
    Output last =
        tf.scope()
            .operation("StatelessWhile")
            .inputList(initial)
            .attr("cond", new AttrValue.Function(cond.traced(initial).name(), Map.of()))
            .attr("body", new AttrValue.Function(body.traced(initial).name(), Map.of()))
            .build()
            .output(1);
    return Network.computing(new Network.Feed(x, Shape.scalar(), X), last);
  }

  private static PreparedGraph prepared(Network network, SessionOptions options) {
    return PreparedGraph.computing(options, network.placeholders(), network.fetch());
  }
}
