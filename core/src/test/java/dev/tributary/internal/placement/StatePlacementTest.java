package dev.tributary.internal.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.graph.StatePlacement;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.Ops;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatePlacementTest {
  private static final String PS0 = cpu("ps", 0);
  private static final String PS2 = cpu("ps", 2);
  private static final String PS10 = cpu("ps", 10);
  private static final String WORKER0 = cpu("worker", 0);
  private static final String WORKER1 = cpu("worker", 1);
  private static final List<String> CLUSTER = List.of(WORKER1, PS10, WORKER0, PS2, PS0);

  private static final QueueOptions QUEUE = QueueOptions.of(10, DataType.FLOAT);

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void firstTask_variableThatNothingPins_isTheSameFromEverySession() {
    Variable variable = tf.variable("v", tf.constant(0f));
    Output sum = tf.add(variable.value(), tf.constant(1f));

    for (String master : CLUSTER) {
      assertThat(placed(CLUSTER, master, variable.handle())).isEqualTo(PS0);
      assertThat(placed(CLUSTER, master, variable.initializer().input(1))).isEqualTo(PS0);
      assertThat(placed(CLUSTER, master, sum)).isEqualTo(master);
    }
  }

  @Test
  void firstTask_referenceVariable_goesThere() {
    Output variable = tf.state.variableV2(DataType.FLOAT, Shape.scalar());

    assertThat(placed(CLUSTER, WORKER1, variable)).isEqualTo(PS0);
  }

  @Test
  void firstTask_noParameterServers_isTheFirstByJobAndNumber() {
    Output variable = tf.variable("v", tf.constant(0f)).handle();

    assertThat(placed(List.of(WORKER1, WORKER0), WORKER1, variable)).isEqualTo(WORKER0);
    assertThat(placed(List.of(WORKER0, cpu("local", 1)), WORKER0, variable))
        .isEqualTo(cpu("local", 1));
  }

  @Test
  void firstTask_firstOnesFilteredOut_isTheFirstThatIsVisible() {
    Output variable = tf.variable("v", tf.constant(0f)).handle();

    assertThat(placed(List.of(WORKER0, WORKER1, PS10, PS2), WORKER1, variable)).isEqualTo(PS2);
    assertThat(placed(List.of(WORKER1), WORKER1, variable)).isEqualTo(WORKER1);
  }

  @Test
  void firstTask_jobOrTaskAskedFor_isObeyed() {
    Output inJob = tf.withDevice("/job:worker").variable("a", tf.constant(0f)).handle();
    Output inTask = tf.withDevice("/job:ps/task:10").variable("b", tf.constant(0f)).handle();
    Output colocated = tf.colocatedWith(inTask.operation()).variable("c", tf.constant(0f)).handle();

    assertThat(placed(CLUSTER, WORKER1, inJob)).isEqualTo(WORKER0);
    assertThat(placed(CLUSTER, WORKER1, inTask)).isEqualTo(PS10);
    assertThat(placed(CLUSTER, WORKER1, colocated)).isEqualTo(PS10);
  }

  @Test
  void firstTask_otherState_movesIfSessionsAreToShareIt() {
    Output shared = tf.queues.fifoQueue(QUEUE.withSharedName("q")).handle();
    Output own = tf.queues.fifoQueue(QUEUE).handle();
    Output table = tf.lookup.mutableHashTable(DataType.STRING, DataType.INT64).handle();

    assertThat(placed(CLUSTER, WORKER1, shared)).isEqualTo(PS0);
    assertThat(placed(CLUSTER, WORKER1, own)).isEqualTo(WORKER1);
    assertThat(placed(CLUSTER, WORKER1, table)).isEqualTo(PS0);
  }

  @Test
  void firstTask_localVariable_staysWithItsSession() {
    Variable local =
        tf.state.variable(
            VariableDefinition.of(
                "epochs", DataType.INT64, Shape.scalar(), List.of(Variable.LOCAL_VARIABLES)),
            beside -> beside.constant(0L));

    assertThat(placed(CLUSTER, WORKER1, local.handle())).isEqualTo(WORKER1);
  }

  @Test
  void masterTask_variableThatNothingPins_isWhereTheSessionIs() {
    Output variable = tf.variable("v", tf.constant(0f)).handle();

    assertThat(placed(CLUSTER, WORKER1, variable, StatePlacement.MASTER_TASK)).isEqualTo(WORKER1);
  }

  private String placed(List<String> devices, String master, Output output) {
    return placed(devices, master, output, StatePlacement.FIRST_TASK);
  }

  private String placed(
      List<String> devices, String master, Output output, StatePlacement statePlacement) {
    StepGraph graph = StepGraph.whole(tf.graph().operations());
    new Placer(devices, master, false, (op, type) -> true, statePlacement).place(graph);
    return graph.nodes().stream()
        .filter(node -> node.name().equals(output.operation().name()))
        .map(StepNode::device)
        .findFirst()
        .orElseThrow();
  }

  private static String cpu(String job, int task) {
    return "/job:" + job + "/replica:0/task:" + task + "/device:CPU:0";
  }
}
