package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Staging areas, staging maps and barriers. */
final class StagingOpRows {
  private static final List<DataType> PAIR = List.of(FLOAT, STRING);

  private StagingOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String op : List.of("Stage", "Unstage", "StagePeek", "StageSize", "StageClear")) {
      rows.add(OpRow.of(op).script(StagingOpRows::area));
    }
    for (String prefix : List.of("Map", "OrderedMap")) {
      for (String op :
          List.of("Stage", "Unstage", "UnstageNoKey", "Peek", "Size", "IncompleteSize", "Clear")) {
        rows.add(OpRow.of(prefix + op).script(d -> map(d, prefix)));
      }
    }
    for (String op :
        List.of("", "InsertMany", "TakeMany", "Close", "ReadySize", "IncompleteSize")) {
      rows.add(OpRow.of("Barrier" + op).script(StagingOpRows::barrier));
    }
    return rows;
  }

  private static Script area(Draw d) {
    Ops tf = Ops.create();
    Operation first = tf.queues.stage("area", List.of(tf.constant(1f, 2f), tf.constant("first")));
    Operation second = tf.queues.stage("area", List.of(tf.constant(3f), tf.constant("second")));
    Output[] taken = tf.queues.unstage("area", PAIR).toArray(new Output[0]);
    Output[] peeked = tf.queues.stagePeek("area", tf.constant(1), PAIR).toArray(new Output[0]);
    Output size = tf.queues.stageSize("area", PAIR);
    return Script.on(tf)
        .expect(size, Tensor.scalar(0))
        .run(first)
        .run(second)
        .expect(size, Tensor.scalar(2))
        .fetch(peeked)
        .fetch(taken)
        .expect(size, Tensor.scalar(1))
        .run(first)
        .fetch(taken)
        .run(second)
        .run(tf.queues.stageClear("area", PAIR))
        .expect(size, Tensor.scalar(0));
  }

  private static Script map(Draw d, String prefix) {
    Ops tf = Ops.create();
    Output size = node(tf, prefix + "Size").buildOutput();
    Output incomplete = node(tf, prefix + "IncompleteSize").buildOutput();
    Operation whole = stage(tf, prefix, 5L, new int[] {0, 1}, tf.constant(1f), tf.constant("a"));
    Operation half = stage(tf, prefix, 3L, new int[] {1}, tf.constant("b"));
    Operation rest = stage(tf, prefix, 3L, new int[] {0}, tf.constant(2f, 3f));
    Output[] peeked = keyed(tf, prefix + "Peek", 5L, PAIR, 0, 1);
    Output[] part = keyed(tf, prefix + "Unstage", 5L, List.of(STRING), 1);
    Output[] other = keyed(tf, prefix + "Unstage", 5L, List.of(FLOAT), 0);
    Output[] any =
        node(tf, prefix + "UnstageNoKey")
            .input(tf.constant(new int[] {0, 1}))
            .build()
            .outputs()
            .toArray(new Output[0]);
    return Script.on(tf)
        .run(whole)
        .run(half)
        .expect(size, Tensor.scalar(1))
        .expect(incomplete, Tensor.scalar(1))
        .run(rest)
        .expect(size, Tensor.scalar(2))
        .expect(incomplete, Tensor.scalar(0))
        .fetch(peeked)
        .fetch(part)
        .fetch(other)
        .expect(size, Tensor.scalar(1))
        .fetch(any)
        .run(half)
        .run(node(tf, prefix + "Clear").build())
        .expect(incomplete, Tensor.scalar(0));
  }

  private static OperationBuilder node(Ops tf, String op) {
    return tf.scope().operation(op).attr("dtypes", PAIR).attr("shared_name", "map");
  }

  private static Operation stage(Ops tf, String prefix, long key, int[] indices, Output... values) {
    return node(tf, prefix + "Stage")
        .input(tf.constant(key))
        .input(tf.constant(indices))
        .inputList(List.of(values))
        .build();
  }

  private static Output[] keyed(Ops tf, String op, long key, List<DataType> types, int... indices) {
    return tf.scope()
        .operation(op)
        .input(tf.constant(key))
        .input(tf.constant(indices))
        .attr("dtypes", types)
        .attr("shared_name", "map")
        .build()
        .outputs()
        .toArray(new Output[0]);
  }

  private static Script barrier(Draw d) {
    Ops tf = Ops.create();
    List<DataType> types = List.of(FLOAT, INT64);
    Output barrier = tf.queues.barrier(types, List.of(Shape.of(2), Shape.scalar()), "b");
    Operation floats =
        tf.queues.barrierInsertMany(
            barrier,
            0,
            tf.constant("x", "y", "z"),
            tf.constant(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f));
    Operation later =
        tf.queues.barrierInsertMany(
            barrier, 1, tf.constant(new String[] {"w"}), tf.constant(new long[] {4L}));
    Operation numbers =
        tf.queues.barrierInsertMany(barrier, 1, tf.constant("y", "x"), tf.constant(20L, 10L));
    Operation last =
        tf.queues.barrierInsertMany(
            barrier, 1, tf.constant(new String[] {"z"}), tf.constant(new long[] {30L}));
    Output ready = tf.queues.barrierReadySize(barrier);
    Output incomplete = tf.queues.barrierIncompleteSize(barrier);
    Output[] two =
        tf.queues.barrierTakeMany(barrier, tf.constant(1), types, false).toArray(new Output[0]);
    Output[] rest =
        tf.queues.barrierTakeMany(barrier, tf.constant(9), types, true).toArray(new Output[0]);
    return Script.on(tf)
        .run(floats)
        .run(later)
        .expect(incomplete, Tensor.scalar(4))
        .run(numbers)
        .expect(ready, Tensor.scalar(2))
        .expect(incomplete, Tensor.scalar(2))
        .fetch(two)
        .run(tf.queues.barrierClose(barrier, false))
        .run(last)
        .expect(ready, Tensor.scalar(2))
        .fetch(rest)
        .run(tf.queues.barrierClose(barrier, true))
        .expect(incomplete, Tensor.scalar(0));
  }
}
