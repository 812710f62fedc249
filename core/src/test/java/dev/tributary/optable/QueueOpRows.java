package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Queues, with reference handles (no suffix) and with resource handles ({@code V2}). */
final class QueueOpRows {
  private static final Shape[] SCALARS = {Shape.scalar(), Shape.scalar()};
  private static final DataType[] ALL = {FLOAT, DOUBLE, INT32, INT64, UINT8, BOOL};

  private QueueOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String suffix : List.of("", "V2")) {
      rows.add(row("FIFOQueue", suffix, QueueOpRows::pairs));
      rows.add(row("RandomShuffleQueue", suffix, QueueOpRows::shuffled));
      rows.add(row("PaddingFIFOQueue", suffix, QueueOpRows::padded));
      rows.add(row("PriorityQueue", suffix, QueueOpRows::prioritized));
      rows.add(row("QueueEnqueue", suffix, QueueOpRows::pairs));
      rows.add(row("QueueEnqueueMany", suffix, QueueOpRows::batches));
      rows.add(row("QueueDequeue", suffix, QueueOpRows::pairs));
      rows.add(row("QueueDequeueMany", suffix, QueueOpRows::batches));
      rows.add(row("QueueDequeueUpTo", suffix, QueueOpRows::rest));
      rows.add(row("QueueClose", suffix, QueueOpRows::rest));
      rows.add(row("QueueSize", suffix, QueueOpRows::batches));
      rows.add(row("QueueIsClosed", suffix, QueueOpRows::rest));
    }
    return rows;
  }

  private static OpRow row(String op, String suffix, BiFunction<Draw, String, Script> script) {
    return OpRow.of(op + suffix).types(ALL).script(d -> script.apply(d, suffix));
  }

  /** Elements of two components of any shape. */
  private static Script pairs(Draw d, String suffix) {
    QueueNodes queue = new QueueNodes(suffix, "FIFOQueue", List.of(d.type(), STRING));
    return Script.on(queue.tf)
        .run(queue.enqueue(d.tensor(Shape.of(2, 3)), Tensor.scalar("first")))
        .run(queue.enqueue(d.tensor(Shape.scalar()), Tensor.of("second", "third")))
        .run(queue.enqueue(d.tensor(Shape.of(0)), Tensor.of(new String[0])))
        .fetch(queue.dequeue())
        .fetch(queue.dequeue())
        .fetch(queue.dequeue());
  }

  /** Rows that go in and come out in batches of other sizes. */
  private static Script batches(Draw d, String suffix) {
    QueueNodes queue =
        new QueueNodes(suffix, "FIFOQueue", List.of(d.type(), STRING), Shape.of(2), Shape.scalar());
    Output size = queue.size();
    return Script.on(queue.tf)
        .run(queue.enqueueMany(d.tensor(Shape.of(5, 2)), Tensor.of("a", "b", "c", "d", "e")))
        .run(queue.enqueue(d.tensor(Shape.of(2)), Tensor.scalar("f")))
        .run(queue.enqueueMany(d.tensor(Shape.of(0, 2)), Tensor.of(new String[0])))
        .expect(size, Tensor.scalar(6))
        .fetch(queue.dequeueMany("QueueDequeueMany", 2))
        .fetch(queue.dequeue())
        .fetch(queue.dequeueMany("QueueDequeueMany", 0))
        .fetch(queue.dequeueMany("QueueDequeueMany", 3))
        .expect(size, Tensor.scalar(0));
  }

  /** What is left when a queue is closed. */
  private static Script rest(Draw d, String suffix) {
    QueueNodes queue = new QueueNodes(suffix, "FIFOQueue", List.of(d.type()), Shape.of(2));
    return Script.on(queue.tf)
        .run(queue.enqueueMany(d.tensor(Shape.of(5, 2))))
        .fetch(queue.dequeueMany("QueueDequeueUpTo", 2))
        .expect(queue.isClosed(), Tensor.scalar(false))
        .run(queue.close())
        .expect(queue.isClosed(), Tensor.scalar(true))
        .fetch(queue.dequeueMany("QueueDequeueUpTo", 10));
  }

  /** The same order as TensorFlow's for the same seeds. */
  private static Script shuffled(Draw d, String suffix) {
    QueueNodes queue =
        new QueueNodes(suffix, "RandomShuffleQueue", List.of(INT32, d.type()), SCALARS) {
          @Override
          void configure(OperationBuilder maker) {
            maker.attr("seed", d.integer(1, 9)).attr("seed2", 5).attr("min_after_dequeue", 3);
          }
        };
    return Script.on(queue.tf)
        .run(queue.enqueueMany(Tensor.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), d.tensor(Shape.of(10))))
        .fetch(queue.dequeue())
        .fetch(queue.dequeueMany("QueueDequeueMany", 4))
        .run(queue.enqueue(Tensor.scalar(10), d.tensor(Shape.scalar())))
        .fetch(queue.dequeue())
        .run(queue.close())
        .fetch(queue.dequeueMany("QueueDequeueUpTo", 20));
  }

  /** Sizes that differ are filled up. */
  private static Script padded(Draw d, String suffix) {
    QueueNodes queue =
        new QueueNodes(
            suffix,
            "PaddingFIFOQueue",
            List.of(d.type(), STRING),
            Shape.of(-1, 2, -1),
            Shape.of(-1));
    return Script.on(queue.tf)
        .run(queue.enqueue(d.tensor(Shape.of(1, 2, 3)), Tensor.of("a")))
        .run(queue.enqueue(d.tensor(Shape.of(4, 2, 1)), Tensor.of("b", "c")))
        .run(queue.enqueue(d.tensor(Shape.of(2, 2, 2)), Tensor.of("d")))
        .run(
            queue.enqueueMany(
                d.tensor(Shape.of(2, 3, 2, 1)), Tensor.of(Shape.of(2, 0), new String[0])))
        .fetch(queue.dequeueMany("QueueDequeueMany", 3))
        .fetch(queue.dequeue())
        .fetch(queue.dequeueMany("QueueDequeueUpTo", 1));
  }

  /** The smallest first component comes out first. */
  private static Script prioritized(Draw d, String suffix) {
    QueueNodes queue = new QueueNodes(suffix, "PriorityQueue", List.of(d.type()), Shape.of(2));
    return Script.on(queue.tf)
        .run(queue.enqueueMany(Tensor.of(5L, -2L, 9L), d.tensor(Shape.of(3, 2))))
        .run(queue.enqueue(Tensor.scalar(7L), d.tensor(Shape.of(2))))
        .fetch(queue.dequeueMany("QueueDequeueMany", 2))
        .run(queue.enqueue(Tensor.scalar(1L), d.tensor(Shape.of(2))))
        .fetch(queue.dequeue())
        .fetch(queue.dequeueMany("QueueDequeueMany", 2));
  }

  /** A queue and the nodes that use it, written without the client's methods in either form. */
  private static class QueueNodes {
    final Ops tf = Ops.create();
    private final String suffix;
    private final List<DataType> types;
    private final Output handle;

    QueueNodes(String suffix, String kind, List<DataType> types, Shape... shapes) {
      this.suffix = suffix;
      OperationBuilder maker =
          tf.scope()
              .operation(kind + suffix)
              .attr("component_types", types)
              .attr("shapes", List.of(shapes))
              .attr("capacity", 20);
      configure(maker);
      this.handle = maker.buildOutput();
      this.types = new ArrayList<>(types);
      if (kind.equals("PriorityQueue")) {
        this.types.add(0, INT64);
      }
    }

    void configure(OperationBuilder maker) {}

    Operation enqueue(Tensor... components) {
      return node("QueueEnqueue").inputList(constants(components)).build();
    }

    Operation enqueueMany(Tensor... components) {
      return node("QueueEnqueueMany").inputList(constants(components)).build();
    }

    Output[] dequeue() {
      return outputs(node("QueueDequeue"));
    }

    Output[] dequeueMany(String op, int count) {
      return outputs(node(op).input(tf.constant(count)));
    }

    Operation close() {
      return node("QueueClose").build();
    }

    Output size() {
      return node("QueueSize").buildOutput();
    }

    Output isClosed() {
      return node("QueueIsClosed").buildOutput();
    }

    private Output[] outputs(OperationBuilder builder) {
      return builder.attr("component_types", types).build().outputs().toArray(new Output[0]);
    }

    private OperationBuilder node(String op) {
      return tf.scope().operation(op + suffix).input(handle);
    }

    private List<Output> constants(Tensor... values) {
      List<Output> constants = new ArrayList<>();
      for (Tensor value : values) {
        constants.add(Constants.taking(tf, value));
      }
      return constants;
    }
  }
}
