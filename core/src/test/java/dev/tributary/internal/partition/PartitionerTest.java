package dev.tributary.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
@Timeout(60)
class PartitionerTest {
  private static final String TASK0 = "/job:worker/replica:0/task:0";
  private static final String TASK1 = "/job:worker/replica:0/task:1";

  private final Ops tf = Ops.create();
  private final Ops here = tf.withDevice(TASK0);
  private final Ops there = tf.withDevice(TASK1);
  private final OneProcessCluster cluster = new OneProcessCluster(2, 2);

  @AfterEach
  void close() {
    cluster.close();
    tf.graph().close();
  }

  @Test
  void partition_oneTask_changesNothing() {
    Output sum = here.add(here.constant(1f), here.constant(2f));

    Map<String, StepGraph> parts = partition(List.of(sum));

    assertThat(parts).containsOnlyKeys(TASK0);
    assertThat(ops(parts.get(TASK0))).containsExactly("Const", "Const", "AddV2", "_Send");
  }

  @Test
  void partition_valueUsedTwiceElsewhere_isSentOnce() {
    Output x = here.neg(here.constant(3f));
    Output y = there.mul(x, there.tanh(x));

    Map<String, StepGraph> parts = partition(List.of(y));

    assertThat(sends(parts.get(TASK0)))
        .filteredOn(send -> !send.attributes().bool("client_terminated"))
        .hasSize(1);
    assertThat(recvs(parts.get(TASK1))).hasSize(1);
    assertThat(sends(parts.get(TASK1))).hasSize(1);
  }

  @Test
  void partition_sendAndRecv_agreeOnTheirKey() {
    Output x = here.neg(here.constant(3f));
    Operation end = there.withControlDependencies(there.neg(x).operation()).noOp();

    Map<String, StepGraph> parts = partitionTargets(end);

    StepNode send = sends(parts.get(TASK0)).get(0);
    StepNode recv = only(parts.get(TASK1), "_Recv");
    for (String attribute :
        List.of("tensor_name", "send_device", "send_device_incarnation", "recv_device")) {
      assertThat(recv.attributes().find(attribute)).isEqualTo(send.attributes().find(attribute));
    }
    assertThat(send.attributes().string("tensor_name")).matches("edge_\\d+_Neg");
    assertThat(send.attributes().string("send_device")).isEqualTo(TASK0 + "/device:CPU:0");
    assertThat(recv.attributes().string("recv_device")).isEqualTo(TASK1 + "/device:CPU:0");
    assertThat(List.of(send.name(), recv.name())).allMatch(name -> name.matches("Neg_S\\d+"));
  }

  @Test
  void partition_controlEdge_becomesAnEmptyValue() {
    Operation first = here.noOp();
    Operation second = there.withControlDependencies(first).noOp();

    Map<String, StepGraph> parts = partitionTargets(second);

    assertThat(ops(parts.get(TASK0))).containsExactly("NoOp", "Const", "_Send");
    StepNode constant = only(parts.get(TASK0), "Const");
    assertThat(constant.name()).startsWith("NoOp/ctrl_S");
    assertThat(constant.attributes().tensor("value").shape()).isEqualTo(Shape.of(0));
    assertThat(constant.controlInputs()).extracting(StepNode::name).containsExactly("NoOp");
    assertThat(ops(parts.get(TASK1))).containsExactly("_Recv", "Identity", "NoOp");
  }

  @Test
  void names_ofManySteps_neverRepeat() {
    Output x = here.neg(here.constant(3f));
    Output y = there.tanh(x);
    Set<String> seen = new HashSet<>();

    for (int i = 0; i < 3; i++) {
      for (StepGraph part : partition(List.of(y)).values()) {
        part.nodes().stream()
            .filter(node -> node.name().contains("_S"))
            .forEach(node -> assertThat(seen.add(node.name())).as(node.name()).isTrue());
      }
    }
    assertThat(seen).hasSize(12);
  }

  @Test
  void variable_readElsewhereAfterAnAssignment_givesWhatWasAssigned() {
    Output variable = here.state.variableV2(DataType.FLOAT, Shape.scalar());
    Output assigned = here.state.assign(variable, here.constant(1f));
    Output changed =
        here.withControlDependencies(there.neg(assigned).operation())
            .state
            .assign(variable, here.constant(5f));
    Output read =
        there.withControlDependencies(changed.operation()).add(variable, there.constant(1f));

    assertThat(run(read)).containsExactly(6f);
  }

  @Test
  void loop_acrossTasks_getsAControlLoopWhereItReceives() {
    Output result = loop(tf);

    Map<String, StepGraph> parts = partition(List.of(result));

    assertThat(controlLoopOps(parts.get(TASK1)))
        .containsExactlyInAnyOrder("Const", "Enter", "Merge", "Switch", "NextIteration");
    StepNode merge =
        parts.get(TASK1).nodes().stream()
            .filter(node -> node.name().startsWith("_cloop/Merge"))
            .findFirst()
            .orElseThrow();
    assertThat(recvs(parts.get(TASK1)))
        .filteredOn(recv -> !recv.controlInputs().isEmpty())
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(recv -> assertThat(recv.controlInputs()).containsExactly(merge));
    assertThat(run(result)).containsExactly(32f);
  }

  @Test
  void loop_insideALoopAcrossTasks_countsRight() {
    Output result =
        here.flow
            .whileLoop(
                List.of(here.constant(0), here.constant(0f)),
                (c, v) -> c.less(v.get(0), c.constant(3)),
                (b, v) -> {
                  Output inner =
                      b.flow
                          .whileLoop(
                              List.of(b.constant(0), v.get(1)),
                              (c, w) -> c.less(w.get(0), c.constant(4)),
                              (d, w) ->
                                  List.of(
                                      d.add(w.get(0), d.constant(1)),
                                      d.withDevice(TASK1 + "/device:CPU:1")
                                          .add(w.get(1), d.constant(1f))))
                          .get(1);
                  return List.of(b.add(v.get(0), b.constant(1)), inner);
                })
            .get(1);

    assertThat(run(result)).containsExactly(12f);
  }

  @Test
  void fetch_insideALoop_isRefused() {
    Operation[] inside = new Operation[1];
    here.flow.whileLoop(
        List.of(here.constant(0)),
        (c, v) -> c.less(v.get(0), c.constant(3)),
        (b, v) -> {
          Output next = b.add(v.get(0), b.constant(1));
          inside[0] = next.operation();
          return List.of(next);
        });

    refused(() -> partition(List.of(inside[0].output(0))), inside[0].name(), "inside the loop");
  }

  @Test
  void loop_withoutACondition_cannotCross() {
    Output entered =
        tf.scope()
            .withDevice(TASK0)
            .operation("Enter")
            .input(here.constant(1f))
            .attr("frame_name", "f")
            .buildOutput();
    Output moved = there.neg(here.neg(entered));
    Output left = tf.scope().operation("Exit").input(moved).buildOutput();

    refused(() -> partition(List.of(left)), "'/f'", "LoopCond");
  }

  private Output loop(Ops ops) {
    return ops.withDevice(TASK0)
        .flow
        .whileLoop(
            List.of(here.constant(0), here.constant(1f)),
            (c, v) -> c.less(v.get(0), c.constant(5)),
            (b, v) ->
                List.of(
                    b.add(v.get(0), b.constant(1)), b.withDevice(TASK1).add(v.get(1), v.get(1))))
        .get(1);
  }

  private Map<String, StepGraph> partition(List<Output> fetches) {
    return cluster.partition(tf.graph(), new StepSignature(List.of(), fetches, List.of()));
  }

  private Map<String, StepGraph> partitionTargets(Operation... targets) {
    return cluster.partition(tf.graph(), new StepSignature(List.of(), List.of(), List.of(targets)));
  }

  private float[] run(Output fetch) {
    try (Tensor value = cluster.run(tf.graph(), List.of(fetch), List.of()).get(0)) {
      return value.toFloats();
    }
  }

  private static List<String> ops(StepGraph graph) {
    return graph.nodes().stream().map(node -> node.declaration().name()).toList();
  }

  private static List<String> controlLoopOps(StepGraph graph) {
    return graph.nodes().stream()
        .filter(node -> node.name().startsWith("_cloop"))
        .map(node -> node.declaration().name())
        .toList();
  }

  private static List<StepNode> sends(StepGraph graph) {
    return all(graph, "_Send");
  }

  private static List<StepNode> recvs(StepGraph graph) {
    return all(graph, "_Recv");
  }

  private static StepNode only(StepGraph graph, String op) {
    assertThat(all(graph, op)).hasSize(1);
    return all(graph, op).get(0);
  }

  private static List<StepNode> all(StepGraph graph, String op) {
    return graph.nodes().stream().filter(n -> n.declaration().name().equals(op)).toList();
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .hasMessageContainingAll(parts)
        .satisfies(
            e -> assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
