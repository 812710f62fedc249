package dev.tributary.optable;

import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.MergeOp;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.BiFunction;

/** Collectives of one device with itself; tests of sessions and clusters have more devices. */
final class CollectiveOpRows {
  private static final String ONE_DEVICE =
      "a session of stock for one process has no collectives; clusters of both are tested apart";

  private static final DeviceGroup ALONE = DeviceGroup.of(1, 1);

  private CollectiveOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("CollectiveReduce", (tf, x) -> tf.collectives.mean(x, ALONE, 1)),
        row("CollectiveReduceV2", (tf, x) -> reduceV2(tf, x)),
        row(
            "CollectiveReduceScatterV2",
            (tf, x) -> tf.collectives.reduceScatter(x, ALONE, 1, MergeOp.ADD)),
        row("CollectiveGather", (tf, x) -> withAttributes(tf, "CollectiveGather", x)),
        row("CollectiveGatherV2", (tf, x) -> tf.collectives.gather(x, ALONE, 1)),
        row("CollectiveAllToAllV2", (tf, x) -> tf.collectives.allToAll(x, ALONE, 1)),
        row("CollectiveBcastSend", (tf, x) -> withAttributes(tf, "CollectiveBcastSend", x)),
        row("CollectiveBcastSendV2", (tf, x) -> tf.collectives.broadcastSend(x, ALONE, 1)),
        OpRow.of("CollectiveBcastRecv")
            .script(d -> FlowOpRows.notTaken(tf -> receive(tf).operation()))
            .withoutStock(ONE_DEVICE),
        OpRow.of("CollectiveBcastRecvV2")
            .script(
                d ->
                    FlowOpRows.notTaken(
                        tf ->
                            tf.collectives
                                .broadcastRecv(DataType.FLOAT, Shape.of(2), ALONE, 1)
                                .operation()))
            .withoutStock(ONE_DEVICE),
        OpRow.of("CollectiveAssignGroupV2").script(CollectiveOpRows::assignGroup));
  }

  private static OpRow row(String op, BiFunction<Ops, Output, Output> build) {
    return OpRow.of(op)
        .script(
            d -> {
              Ops tf = Ops.create();
              float[] values = {d.integer(-9, 9), d.integer(-9, 9)};
              Output result = build.apply(tf, tf.constant(values));
              return Script.on(tf).expect(result, Tensor.of(values));
            })
        .withoutStock(ONE_DEVICE);
  }

  private static Output reduceV2(Ops tf, Output x) {
    return tf.scope()
        .operation("CollectiveReduceV2")
        .input(x)
        .input(tf.constant(1))
        .input(tf.constant(1))
        .input(tf.constant(1))
        .inputList(List.of())
        .attr("merge_op", "Max")
        .attr("final_op", "Id")
        .buildOutput();
  }

  private static Output withAttributes(Ops tf, String op, Output x) {
    return keys(tf.scope().operation(op).input(x)).buildOutput();
  }

  private static Output receive(Ops tf) {
    return keys(tf.scope().operation("CollectiveBcastRecv").attr("T", DataType.FLOAT))
        .buildOutput();
  }

  private static OperationBuilder keys(OperationBuilder op) {
    return op.attr("group_size", 1)
        .attr("group_key", 1)
        .attr("instance_key", 1)
        .attr("shape", Shape.of(2));
  }

  private static Script assignGroup(Draw d) {
    Ops tf = Ops.create();
    int device = d.integer(0, 3);
    List<Output> group =
        tf.scope()
            .operation("CollectiveAssignGroupV2")
            .input(tf.constant(Shape.of(2, 2), 0, 1, 2, 3))
            .input(tf.constant(device))
            .input(tf.constant(5))
            .build()
            .outputs();
    return Script.on(tf)
        .expect(group.get(0), Tensor.scalar(2))
        .expect(group.get(1), Tensor.scalar(5 + device / 2));
  }
}
