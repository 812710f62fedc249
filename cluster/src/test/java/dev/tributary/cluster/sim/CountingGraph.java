package dev.tributary.cluster.sim;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import org.tensorflow.proto.GraphDef;

/**
 * The graph that clients of a simulation run: a counter on each ps, and a chain of additions that
 * passes every task.
 */
final class CountingGraph {
  static final int PS_COUNT = 2;
  static final int WORKER_COUNT = 2;
  static final String CHAIN_START = "start:0";
  static final String CHAIN_END = "end:0";
  static final String CHAIN_MIDDLE = "middle:0";

  static final GraphDef DEF = build();

  private CountingGraph() {}

  static String initialize(int ps) {
    return "initialize" + ps;
  }

  static String increment(int ps) {
    return "increment" + ps;
  }

  static String value(int ps) {
    return "value" + ps + ":0";
  }

  /** What the chain has added by then. */
  static int sumAt(String end) {
    return end.equals(CHAIN_END) ? PS_COUNT + WORKER_COUNT : PS_COUNT;
  }

  private static GraphDef build() {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph()) {
      Output sum = tf.withName("start").placeholder(DataType.FLOAT, Shape.scalar());
      for (int i = 0; i < PS_COUNT; i++) {
        Ops ps = tf.withDevice("/job:ps/task:" + i);
        Ops worker = tf.withDevice("/job:worker/task:" + i % WORKER_COUNT);
        Variable count = ps.state.variable("count" + i, ps.constant(0f));
        ps.withName("initialize" + i).state.assignVariableOp(count.handle(), ps.constant(0f));
        worker.withName("value" + i).identity(count.value());
        ps.withName("increment" + i).state.assignAddVariableOp(count.handle(), worker.constant(1f));
        sum = ps.add(sum, ps.constant(1f));
      }
      sum = tf.withName("middle").withDevice("/job:ps/task:0").identity(sum);
      for (int i = 0; i < WORKER_COUNT; i++) {
        Ops worker = tf.withDevice("/job:worker/task:" + i);
        sum = worker.add(sum, worker.constant(1f));
      }
      tf.withName("end").withDevice("/job:ps/task:1").identity(sum);
      return GraphDefs.toProto(graph);
    }
  }
}
