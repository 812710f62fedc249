package dev.tributary.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.TinyOps;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrunerTest {
  private static final String CLIENT = "/job:worker/replica:0/task:0/device:CPU:0";

  private final TinyOps tf = new TinyOps();
  private final Output x = tf.placeholder(Shape.scalar());
  private final ClientBoundary boundary = new ClientBoundary(CLIENT, -2, tf.graph().registry());

  @AfterEach
  void close() {
    tf.close();
  }

  @Test
  void prune_unneededNodes_areLeftOut() {
    Output needed = tf.add(x, x);
    tf.sub(needed, needed);

    assertThat(ops(prune(List.of(x), List.of(needed), List.of())))
        .containsExactly("_Arg", "TestAdd", "_Retval");
  }

  @Test
  void prune_controlInputs_areNeededToo() {
    Operation first = tf.operation("TestNothing");
    Output second = tf.graph().scope().operation("TestSequence").controlInput(first).buildOutput();

    assertThat(ops(prune(List.of(), List.of(second), List.of())))
        .containsExactly("TestNothing", "TestSequence", "_Retval");
  }

  @Test
  void prune_fedPlaceholder_neverRunsItself() {
    Operation after =
        tf.graph().scope().operation("TestNothing").controlInput(x.operation()).build();

    StepGraph graph = prune(List.of(x), List.of(), List.of(after, x.operation()));

    assertThat(ops(graph)).containsExactly("_Arg", "TestNothing");
    assertThat(graph.nodes().get(1).controlInputs()).containsExactly(graph.nodes().get(0));
  }

  @Test
  void prune_feedInTheMiddle_cutsWhatIsBefore() {
    Output middle = tf.add(x, x);
    Output end = tf.sub(middle, middle);

    assertThat(ops(prune(List.of(middle), List.of(end, middle), List.of())))
        .containsExactly("_Arg", "TestSub", "_Retval", "_Retval");
  }

  @Test
  void prune_roots_areCalledAsTheClientCallsThem() {
    Output sum = tf.add(x, x);
    StepGraph graph = prune(List.of(x), List.of(sum), List.of(sum.operation()));

    assertThat(graph.nodes().stream().filter(graph::isRoot).map(graph::rootLabel))
        .containsExactlyInAnyOrder("fetch 'TestAdd:0'", "target 'TestAdd'");
  }

  @Test
  void prune_nothingAsked_isRefused() {
    assertThatThrownBy(() -> prune(List.of(x), List.of(), List.of()))
        .hasMessageContaining("got neither");
  }

  @Test
  void prune_forAClient_endsInTransfersUnderItsKeys() {
    Output sum = tf.add(x, x);

    StepGraph graph = pruneForClient(List.of(x), List.of(sum, sum), List.of());

    assertThat(ops(graph)).containsExactly("_Recv", "TestAdd", "_Send");
    StepNode recv = graph.nodes().get(0);
    StepNode send = graph.nodes().get(2);
    assertThat(recv.name()).isEqualTo("_recv_Placeholder_0");
    assertThat(send.name()).isEqualTo("_send_TestAdd_0");
    assertThat(List.of(recv, send))
        .allSatisfy(
            node -> {
              assertThat(node.device()).isEqualTo(CLIENT);
              assertThat(node.attributes().bool("client_terminated")).isTrue();
              assertThat(node.attributes().string("send_device")).isEqualTo(CLIENT);
              assertThat(node.attributes().string("recv_device")).isEqualTo(CLIENT);
              assertThat(node.attributes().integer("send_device_incarnation")).isEqualTo(-2);
            });
    assertThat(boundary.key(x))
        .hasToString(CLIENT + ";fffffffffffffffe;" + CLIENT + ";Placeholder:0;0:0");
    assertThat(recv.attributes().string("tensor_name")).isEqualTo("Placeholder:0");
  }

  @Test
  void prune_forAClient_refusesWhatIsFedAndFetched() {
    assertThatThrownBy(() -> pruneForClient(List.of(x), List.of(x), List.of()))
        .hasMessageContaining("Placeholder:0 is both fed and fetched");
  }

  @Test
  void prune_fedTwice_isRefused() {
    Output sum = tf.add(x, x);

    assertThatThrownBy(() -> pruneForClient(List.of(x, x), List.of(sum), List.of()))
        .hasMessageContaining("Placeholder:0 is fed twice");
  }

  @Test
  void whole_graph_hasEveryOperation() {
    tf.sub(tf.add(x, x), x);

    assertThat(ops(StepGraph.whole(tf.graph().operations())))
        .containsExactly("Placeholder", "TestAdd", "TestSub");
  }

  private StepGraph pruneForClient(
      List<Output> feeds, List<Output> fetches, List<Operation> targets) {
    return Pruner.prune(tf.graph(), new StepSignature(feeds, fetches, targets), boundary);
  }

  private StepGraph prune(List<Output> feeds, List<Output> fetches, List<Operation> targets) {
    return Pruner.prune(tf.graph(), new StepSignature(feeds, fetches, targets));
  }

  private static List<String> ops(StepGraph graph) {
    return graph.nodes().stream().map(n -> n.declaration().name()).toList();
  }
}
