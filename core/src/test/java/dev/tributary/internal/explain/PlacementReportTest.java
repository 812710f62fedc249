package dev.tributary.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@NoLeaks
class PlacementReportTest {
  private static final String PS = "/job:ps/replica:0/task:0";
  private static final String WORKER = "/job:worker/replica:0/task:0";
  private static final String CLIENT = WORKER + "/device:CPU:0";

  private final Ops tf = Ops.create();
  private final Ops ps = tf.withDevice("/job:ps");
  private final Placer placer =
      new Placer(List.of(PS + "/device:CPU:0", CLIENT), WORKER, false, (op, type) -> true);

  private final Output weights =
      ps.withName("w").state.varHandleOp(DataType.FLOAT, Shape.of(784, 10), "w");
  private final Output read = ps.withName("read").state.readVariableOp(weights, DataType.FLOAT);
  private final Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 784));
  private final Output y = tf.withName("y").matMul(x, read);
  private final Output back = ps.withName("back").neg(y);

  PlacementReportTest() {
    tf.withName("end").withControlDependencies(back.operation()).noOp();
  }

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void report_ofAGraph_tellsWhatEachTaskHolds() {
    PlacementReport report = PlacementReport.of(tf.graph(), placer);

    assertThat(report.tasks()).extracting(TaskLoad::task).containsExactly(PS, WORKER);
    assertThat(report.tasks().get(0).nodes()).containsExactly("w", "read", "back");
    assertThat(report.tasks().get(1).nodes()).containsExactly("x", "y", "end");
    assertThat(report.tasks().get(0).variables())
        .containsExactly(new PlacedVariable("w", DataType.FLOAT, Shape.of(784, 10)));
    assertThat(report.tasks().get(0).variableBytes()).isEqualTo(784 * 10 * 4);
    assertThat(report.tasks().get(1).variableBytes()).isZero();
  }

  @Test
  void report_ofAGraph_tellsWhatCrosses() {
    PlacementReport report = PlacementReport.of(tf.graph(), placer);

    assertThat(report.crossings())
        .containsExactly(
            new Crossing("read:0", PS, WORKER, DataType.FLOAT, Shape.of(784, 10)),
            new Crossing("^back", PS, WORKER, DataType.FLOAT, Shape.of(0)),
            new Crossing("y:0", WORKER, PS, DataType.FLOAT, Shape.of(-1, 10)));
    assertThat(report.crossings())
        .extracting(Crossing::bytes)
        .containsExactly(OptionalLong.of(31360), OptionalLong.of(0), OptionalLong.empty());
  }

  @Test
  void report_ofAStep_leavesOutWhatItDoesNotNeed() {
    StepSignature signature = new StepSignature(List.of(x), List.of(y), List.of());

    PlacementReport report = PlacementReport.of(tf.graph(), signature, placer, CLIENT);

    assertThat(report.crossings()).extracting(Crossing::tensor).containsExactly("read:0");
    assertThat(report.tasks().get(0).nodes()).containsExactly("w", "read");
  }

  @Test
  void text_ofAReport_isThreeTables() {
    assertThat(PlacementReport.of(tf.graph(), placer).text())
        .isEqualTo(
            """
            task                          nodes  variables  bytes
            /job:ps/replica:0/task:0      3      1          30.6 KiB
            /job:worker/replica:0/task:0  3      0          0 B

            variable  task                      type   shape     bytes
            w         /job:ps/replica:0/task:0  float  [784,10]  30.6 KiB

            tensor  from                          to                            type   shape     bytes
            read:0  /job:ps/replica:0/task:0      /job:worker/replica:0/task:0  float  [784,10]  30.6 KiB
            ^back   /job:ps/replica:0/task:0      /job:worker/replica:0/task:0  float  [0]       0 B
            y:0     /job:worker/replica:0/task:0  /job:ps/replica:0/task:0      float  [?,10]    unknown
            """);
  }
}
