package dev.tributary.gradients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

class VariableGradientsTest {
  private final Ops tf = Ops.create();

  @Test
  void read_ofResource_passesGradientToHandle() {
    Variable w = tf.variable("w", tf.constant(3f, 4f));
    Output product =
        tf.scope().operation("Mul").input(w.value()).input(tf.constant(5f, 6f)).buildOutput();

    GradientValue gradient = Gradients.of(tf, List.of(product), List.of(w.handle())).get(0);

    assertThat(run(w.initializer(), (Output) gradient).toFloats()).containsExactly(5f, 6f);
  }

  @Test
  void identity_ofReference_passesGradientToVariable() {
    Output ref = tf.state.variableV2(DataType.FLOAT, Shape.of(2));
    Operation initializer = tf.state.assign(ref, tf.constant(3f, 4f)).operation();
    Output product =
        tf.scope()
            .operation("Mul")
            .input(tf.identity(ref))
            .input(tf.constant(5f, 6f))
            .buildOutput();

    GradientValue gradient = Gradients.of(tf, List.of(product), List.of(ref)).get(0);

    assertThat(run(initializer, (Output) gradient).toFloats()).containsExactly(5f, 6f);
  }

  @Test
  void gather_ofResource_givesSlices() {
    Variable w = tf.variable("w", tf.constant(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f));
    Output indices = tf.constant(Shape.of(2, 1), 2, 0);
    Output rows = tf.state.resourceGather(w.handle(), indices, DataType.FLOAT);
    Output start = tf.constant(Shape.of(2, 1, 2), 10f, 20f, 30f, 40f);

    IndexedSlices slices =
        (IndexedSlices)
            Gradients.of(tf, List.of(rows), List.of(w.handle()), List.of(start), List.of()).get(0);

    Tensor values = run(w.initializer(), slices.values());
    assertThat(values.shape()).isEqualTo(Shape.of(2, 2));
    assertThat(values.toFloats()).containsExactly(10f, 20f, 30f, 40f);
    assertThat(run(w.initializer(), slices.indices()).toInts()).containsExactly(2, 0);
    assertThat(run(w.initializer(), slices.denseShape()).toInts()).containsExactly(3, 2);
  }

  /**
   * Runs in a session of its own and leaves the value to the test, which is too small to count
   * references.
   */
  private Tensor run(Operation initializer, Output fetch) {
    try (Session session = Session.local(tf.graph())) {
      session.run(initializer);
      StepResult result = session.runner().fetch(fetch).run();
      return result.get(0);
    }
  }
}
