package dev.tributary.plan;

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
  private final TinyOps tf = new TinyOps();
  private final Output x = tf.placeholder(Shape.scalar());

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

  private StepGraph prune(List<Output> feeds, List<Output> fetches, List<Operation> targets) {
    return Pruner.prune(tf.graph(), new StepSignature(feeds, fetches, targets));
  }

  private static List<String> ops(StepGraph graph) {
    return graph.nodes().stream().map(n -> n.declaration().name()).toList();
  }
}
