package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.Test;

@NoLeaks
class OperationCopiesTest {
  private final Ops tf = Ops.create();
  private final Graph copy = Ops.create().graph();

  @Test
  void addCopies_constantsLoopsAndControls_giveTheSameMessageAndValues() {
    Output end = count(tf);
    tf.withControlDependencies(end.operation()).withDevice("/device:CPU:0").noOp();

    copy.addCopies(tf.graph().operations(), operations -> {});

    assertThat(GraphDefs.toProto(copy)).isEqualTo(GraphDefs.toProto(tf.graph()));
    tf.graph().close(); // The copies have references of their own.
    try (Session session = Session.local(copy)) {
      assertThat(session.fetch(copy.output(end.operation().name())).floatValue()).isEqualTo(8);
    }
    copy.close();
  }

  @Test
  void addCopies_graphGrew_connectsWithTheCopiesThatAreThere() {
    Output one = tf.constant(1f);
    copy.addCopies(tf.graph().operations(), operations -> {});
    int before = tf.graph().size();
    Output sum = tf.withControlDependencies(one.operation()).add(one, tf.constant(2f));

    List<Operation> all = tf.graph().operations();
    copy.addCopies(all.subList(before, all.size()), operations -> {});

    Operation copied = copy.operation(sum.operation().name());
    assertThat(copied.input(0)).isEqualTo(copy.output(one.operation().name()));
    assertThat(copied.controlInputs()).containsExactly(copy.operation(one.operation().name()));
    assertThat(copied.outputShapes()).isEqualTo(sum.operation().outputShapes());
    tf.graph().close();
    copy.close();
  }

  @Test
  void addCopies_dependencyIsMissingOrCheckRefuses_leavesTheGraphAsItWas() {
    Output one = tf.constant(1f);
    tf.neg(one);
    List<Operation> all = tf.graph().operations();

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> copy.addCopies(all.subList(1, 2), operations -> {}))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .withMessageContaining(one.operation().name());
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(
            () ->
                copy.addCopies(
                    all,
                    operations -> {
                      throw TributaryException.invalidArgument("refused");
                    }));
    assertThat(copy.size()).isZero();

    copy.addCopies(all, operations -> {});
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> copy.addCopies(all, operations -> {}))
        .matches(e -> e.code() == ErrorCode.ALREADY_EXISTS);
    assertThat(copy.size()).isEqualTo(2);
    tf.graph().close();
    copy.close();
  }

  /** A loop that doubles 1 until it is 8. */
  private static Output count(Ops tf) {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(1f)),
            (body, values) -> body.less(values.get(0), body.constant(5f)),
            (body, values) -> List.of(body.mul(values.get(0), body.constant(2f))))
        .get(0);
  }
}
