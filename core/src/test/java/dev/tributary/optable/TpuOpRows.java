package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Rows of the nodes around a computation for TPUs. */
final class TpuOpRows {
  private static final String NO_KERNEL = "stock has no kernel for CPUs";

  private TpuOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("TPUReplicateMetadata")
            .withoutStock(NO_KERNEL)
            .script(
                d -> {
                  Ops tf = Ops.create();
                  return Script.on(tf)
                      .run(
                          tf.scope()
                              .operation("TPUReplicateMetadata")
                              .attr("num_replicas", 1)
                              .build());
                }),
        OpRow.of("TPUCompilationResult")
            .withoutStock(NO_KERNEL)
            .script(
                d -> {
                  Ops tf = Ops.create();
                  return Script.on(tf)
                      .expect(
                          tf.scope().operation("TPUCompilationResult").buildOutput(),
                          Tensor.scalar(""));
                }),
        passing("TPUReplicatedInput", "N"),
        passing("TPUReplicatedOutput", "num_replicas"));
  }

  private static OpRow passing(String op, String count) {
    return OpRow.of(op)
        .withoutStock(NO_KERNEL)
        .types(FLOAT, INT64, STRING)
        .example(() -> OpCall.of(Tensor.of(1f, 2f)).attr(count, 1), Tensor.of(1f, 2f))
        .draw(d -> OpCall.of(d.tensor(d.shape(0, 3))).attr(count, 1));
  }
}
