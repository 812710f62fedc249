package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class GraphTest {
  private final Graph graph = TestOps.graph();

  @Test
  void operations_made_comeInOrder() {
    Operation a = noOp("b");
    Operation b = noOp("a");

    assertThat(graph.operations()).containsExactly(a, b);
    assertThat(List.of(a.id(), b.id())).containsExactly(0, 1);
    assertThat(graph.size()).isEqualTo(2);
  }

  @Test
  void operation_unknownName_isRefusedWithLikeNames() {
    noOp("net/layer/bias");

    assertThatThrownBy(() -> graph.operation("bias"))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'bias'")
        .hasMessageContaining("net/layer/bias");
  }

  @Test
  void output_names_areReadStrictly() {
    Output x = placeholder("x");

    assertThat(graph.output("x")).isEqualTo(x);
    assertThat(graph.output("x:0")).isEqualTo(x);
    for (String name : List.of("x:1", "x:00", "x:-1", "^x", "x:", "y:0")) {
      assertThatThrownBy(() -> graph.output(name)).isInstanceOf(TributaryException.class);
    }
  }

  @Test
  void close_constants_areGivenBackOnceAndNothingIsAddedAnyMore() {
    Ops tf = Ops.create();
    Output constant = tf.constant(1f, 2f);
    Tensor value = constant.operation().attributes().tensor("value");
    value.close();
    assertThat(value.toFloats()).containsExactly(1, 2);

    tf.graph().close();
    tf.graph().close();

    assertThat(value.isClosed()).isTrue();
    assertThatThrownBy(() -> tf.constant(1f))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void makeFinal_anyChange_isRefusedAndWhatIsThereStays() {
    Ops tf = Ops.create();
    Output one = tf.constant(1f);
    Output sum = tf.add(one, one);
    tf.graph().makeFinal();

    for (ThrowingCallable change :
        List.<ThrowingCallable>of(
            () -> tf.constant(2f),
            () -> tf.graph().addAll(List.of()),
            () -> tf.graph().addToCollection("losses", sum),
            () -> tf.graph().updateInput(sum.operation(), 0, one),
            () -> tf.graph().addControlEdge(one.operation(), sum.operation()))) {
      assertThatThrownBy(change)
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessageContaining("final");
    }
    assertThat(tf.graph().isFinal()).isTrue();
    assertThat(tf.graph().size()).isEqualTo(2);
    tf.graph().close();
  }

  @Test
  void addAll_operationsThatDependOnEachOther_areTakenTogether() {
    Operation a = detached("s/a").build();
    Operation b = detached("s/b").controlInput(a).build();
    assertThat(a.id()).isNegative();
    assertThat(graph.size()).isZero();

    graph.addAll(List.of(b, a));

    assertThat(graph.operations()).containsExactly(b, a);
    assertThat(graph.operation("s/b").id()).isZero();
    assertThat(graph.scope().withSubScope("s").operation("NoOp").build().name())
        .isEqualTo("s_1/NoOp");
  }

  @Test
  void addAll_nameInUse_takesNone() {
    noOp("b");
    List<Operation> detached = List.of(detached("s/a").build(), detached("b").build());

    assertThatThrownBy(() -> graph.addAll(detached))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'b'");
    assertThat(graph.size()).isEqualTo(1);
    assertThat(graph.find("s/a")).isEmpty();
    assertThat(graph.takeName("s")).isEqualTo("s");
  }

  @Test
  void addAll_dependencyLeftOut_takesNone() {
    Operation left = detached("left").build();
    Operation user = detached("s/user").controlInput(left).build();

    assertThatThrownBy(() -> graph.addAll(List.of(user)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'left'");
    assertThat(graph.size()).isZero();
    assertThat(graph.find("s/user")).isEmpty();
    assertThat(graph.takeName("s")).isEqualTo("s");

    graph.addAll(List.of(user, left)); // As if nothing had happened.
    assertThat(graph.operations()).containsExactly(user, left);
  }

  @Test
  void addAll_sameNameTwice_takesNone() {
    List<Operation> equal = List.of(detached("a").build(), detached("a").build());

    assertThatThrownBy(() -> graph.addAll(equal))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'a'");
    assertThat(graph.size()).isZero();
    assertThat(graph.find("a")).isEmpty();
  }

  @Test
  void addAll_twice_isRefused() {
    List<Operation> once = List.of(detached("a").build());
    graph.addAll(once);

    assertThatThrownBy(() -> graph.addAll(once))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'a'");
    assertThatThrownBy(() -> TestOps.graph().addAll(once)).hasMessageContaining("another graph");
  }

  @Test
  void updateInput_sameType_replaces() {
    Output x = placeholder("x");
    Output y = placeholder("y");
    Operation relu = graph.scope().operation("Relu").input(x).build();
    List<Output> before = relu.inputs();
    graph.updateInput(relu, 0, y);

    assertThat(relu.inputs()).containsExactly(y);
    assertThat(before).as("a list taken before").containsExactly(x);
  }

  @Test
  void updateInput_otherTypeOrGraph_isRefused() {
    Operation relu = graph.scope().operation("Relu").input(placeholder("x")).build();
    Output other =
        graph.scope().operation("Placeholder").attr("dtype", DataType.INT32).buildOutput();
    Output elsewhere =
        TestOps.graph()
            .scope()
            .operation("Placeholder")
            .attr("dtype", DataType.FLOAT)
            .buildOutput();

    assertThatThrownBy(() -> graph.updateInput(relu, 0, other)).hasMessageContaining("int32");
    assertThatThrownBy(() -> graph.updateInput(relu, 0, elsewhere))
        .hasMessageContaining("another graph");
    assertThat(relu.input(0).name()).isEqualTo("x:0");
  }

  @Test
  void addControlEdge_twice_isOne() {
    Operation a = noOp("a");
    Operation b = noOp("b");
    graph.addControlEdge(a, b);
    graph.addControlEdge(a, b);

    assertThat(b.controlInputs()).containsExactly(a);
  }

  @Test
  void collections_elements_comeInOrder() {
    graph.addToCollection("losses", "a");
    graph.addToCollection("losses", "b");
    graph.addToCollection("other", "c");

    assertThat(graph.collection("losses")).containsExactly("a", "b");
    assertThat(graph.collection("none")).isEmpty();
    assertThat(graph.collectionNames()).containsExactly("losses", "other");
  }

  @Test
  void seed_set_isKnown() {
    assertThat(graph.seed()).isEmpty();
    graph.setSeed(0);
    assertThat(graph.seed()).contains(0);
  }

  private Operation noOp(String name) {
    return graph.scope().withName(name).operation("NoOp").build();
  }

  private Output placeholder(String name) {
    return graph
        .scope()
        .withName(name)
        .operation("Placeholder")
        .attr("dtype", DataType.FLOAT)
        .buildOutput();
  }

  private OperationBuilder detached(String name) {
    return OperationBuilder.detached(graph, "NoOp", name);
  }
}
