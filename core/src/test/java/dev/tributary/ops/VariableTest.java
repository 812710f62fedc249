package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import org.junit.jupiter.api.Test;

class VariableTest {
  private final Ops tf = Ops.create();

  @Test
  void variable_madeTwice_isNamedAsInTensorFlow() {
    Variable first = tf.withSubScope("layer").variable("w", tf.constant(1f, 2f));
    Variable second = tf.variable("w", tf.constant(1f));
    Variable third = tf.variable("w", tf.constant(1f));

    assertThat(first.name()).isEqualTo("layer/w");
    assertThat(first.handle().operation().attributes().string("shared_name")).isEqualTo("layer/w");
    assertThat(first.initializer().name()).isEqualTo("layer/w/Assign");
    assertThat(first.value().operation().name()).isEqualTo("layer/w/Read/ReadVariableOp");
    assertThat(second.name()).isEqualTo("w");
    assertThat(third.initializer().name()).isEqualTo("w_1/Assign");
  }

  @Test
  void variable_ofInitialValue_hasItsTypeAndShape() {
    Variable variable = tf.variable("w", tf.constant(1, 2, 3));

    assertThat(variable.type()).isEqualTo(DataType.INT32);
    assertThat(variable.shape()).isEqualTo(Shape.of(3));
    assertThat(variable.read().shape()).isEqualTo(Shape.of(3));
  }

  @Test
  void collections_ofGraph_tellTrainedFromOthers() {
    Variable trained = tf.variable("w", tf.constant(1f));
    Variable counter = tf.state.untrainedVariable("step", tf.constant(0));

    assertThat(Variable.all(tf.graph())).containsExactly(trained, counter);
    assertThat(Variable.trainable(tf.graph())).containsExactly(trained);
  }

  @Test
  void variable_onDevice_keepsItsOperationsThere() {
    Variable variable = tf.withDevice("/job:ps/task:1").variable("w", tf.constant(1f));

    assertThat(variable.initializer().device()).isEqualTo(variable.handle().operation().device());
    assertThat(variable.value().operation().device().toString())
        .contains("/job:ps")
        .contains("/task:1");
  }

  @Test
  void read_afterUpdateInOneStep_seesIt() {
    Variable variable = tf.variable("w", tf.constant(1f));
    Operation add = variable.assignAdd(tf.constant(2f));
    Output after = variable.in(tf.withControlDependencies(add)).read();

    try (Session session = Session.local(tf.graph())) {
      session.run(variable.initializer());
      try (StepResult result = session.runner().fetch(after).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(3f);
      }
    }
  }
}
