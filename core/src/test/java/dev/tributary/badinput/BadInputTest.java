package dev.tributary.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.optable.CallGraph;
import dev.tributary.optable.CallSession;
import dev.tributary.optable.OpCall;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Wrong values get one exception with the right code which names the node, what it got and what it
 * wanted, and the session goes on. What is known while the graph is built fails then already, and
 * leaves the graph as it was.
 */
@NoLeaks
class BadInputTest {
  private final CallSession session = new CallSession(Ops.registry());

  @AfterEach
  void close() {
    session.close();
  }

  static List<BadCall> calls() {
    return BadCall.known();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void run_badCall_failsOnceAndTheSessionGoesOn(BadCall bad) {
    try (OpCall call = bad.call().get();
        OpCall fed = OpCall.of(call.inputs().stream().map(Tensor::retain).toArray(Tensor[]::new))) {
      call.attributes().forEach(fed::attr);
      CallGraph graph = CallGraph.of(session.tf(), bad.op(), fed, shape -> Shape.unknown());
      Operation operation = graph.operation();

      requireRefused(
          bad,
          bad.op() + " '" + operation.name() + "'",
          catchThrowable(() -> session.run(graph).close()));
    }
    requireWell();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void build_badCallOfKnownValues_failsNowOrWhenItRuns(BadCall bad) {
    Ops tf = session.tf();
    try (OpCall call = bad.call().get()) {
      OpCall constants = new OpCall();
      call.inputs().forEach(tensor -> constants.constant(tensor));
      call.attributes().forEach(constants::attr);
      int inputs = call.inputs().size();
      Throwable failure =
          catchThrowable(
              () ->
                  session
                      .run(CallGraph.of(tf, bad.op(), constants, UnaryOperator.identity()))
                      .close());

      requireRefused(bad, bad.op() + " '" + bad.op() + "'", failure);
      int size = tf.graph().size();
      boolean builds = tf.graph().find(bad.op()).isPresent();
      assertThat(size).isEqualTo(builds ? inputs + 1 : inputs);
      assertThat(tf.scope().operation("NoOp").build().name()).isEqualTo("NoOp");
    }
    requireWell();
  }

  static List<BadBuild> builds() {
    return BadBuild.known();
  }

  @ParameterizedTest
  @MethodSource("builds")
  void build_wrong_failsOnceAndLeavesTheGraphAsItWas(BadBuild bad) {
    Ops tf = session.tf();
    tf.withName("x").placeholder(DataType.FLOAT, Shape.of(2, 3));
    tf.withName("v").placeholder(DataType.FLOAT, Shape.of(3));
    tf.withName("w").placeholder(DataType.FLOAT, Shape.of(2));
    tf.withName("n").placeholder(DataType.INT32, Shape.scalar());
    tf.withName("four").constant(new int[] {4});
    List<Operation> before = tf.graph().operations();

    requireRefused(bad.code(), bad.parts(), catchThrowable(() -> bad.build().accept(tf)));
    assertThat(tf.graph().operations()).isEqualTo(before);
    requireWell();
  }

  static List<BadStep> steps() {
    return BadStep.known();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void run_wrongStep_failsOnceAndTheSessionGoesOn(BadStep bad) {
    Ops tf = session.tf();
    tf.withName("x").placeholder(DataType.FLOAT, Shape.of(2));

    requireRefused(
        bad.code(),
        bad.parts(),
        catchThrowable(() -> bad.step().apply(tf, session.session()).close()));
    requireWell();
  }

  @Test
  void run_stringsThatAreNoUtf8_comeOutAsTheyWentIn() {
    byte[] bytes = {(byte) 0xff, 0, (byte) 0xc3, 'a', (byte) 0xed, (byte) 0xa0, (byte) 0x80};
    Ops tf = session.tf();
    tf.withName("c").constant(Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) bytes));
    try (Graph again = Ops.create().graph()) {
      GraphDefs.importInto(again, GraphDefs.toProto(tf.graph()));
      Ops more = new Ops(again.scope());
      Output joined = more.strings.stringJoin(List.of(again.output("c"), more.constant("")), "");
      try (Session other = Session.local(again);
          StepResult result = other.runner().fetch(joined).fetch("c").run()) {
        assertThat(result).allSatisfy(t -> assertThat((byte[]) t.objects()[0]).isEqualTo(bytes));
      }
    }
  }

  private static void requireRefused(BadCall bad, String place, Throwable failure) {
    requireRefused(bad.code(), bad.parts(), failure);
    assertThat(failure).hasMessageContaining(place);
  }

  private static void requireRefused(ErrorCode code, List<String> parts, Throwable failure) {
    assertThat(failure).isInstanceOf(TributaryException.class);
    assertThat(((TributaryException) failure).code()).as("%s", failure).isEqualTo(code);
    assertThat(failure.getMessage()).contains(parts);
    assertThat(failure.getSuppressed()).isEmpty();
  }

  private void requireWell() {
    Ops tf = session.tf();
    try (StepResult result =
        session.runner().fetch(tf.add(tf.constant(1f), tf.constant(2f))).run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(3f);
    }
  }
}
