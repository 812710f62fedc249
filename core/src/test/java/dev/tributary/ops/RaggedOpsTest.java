package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class RaggedOpsTest {
  private final Ops tf = Ops.create();

  @Test
  void toSparse_gradient_isThatOfTheValuesInTheirShape() {
    Output values = tf.constant(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f);
    RaggedTensor ragged = new RaggedTensor(values, tf.constant(0L, 1L, 3L));
    Output squares = tf.square(tf.ragged.toSparse(ragged).values());
    Output gradient = (Output) Gradients.of(tf, List.of(squares), List.of(values)).get(0);

    try (Session session = Session.local(tf.graph());
        StepResult result = session.runner().fetch(gradient).run()) {
      assertThat(result.get(0).shape()).isEqualTo(Shape.of(3, 2));
      assertThat(result.get(0).toFloats()).containsExactly(2f, 4f, 6f, 8f, 10f, 12f);
    }
  }

  @Test
  void toDense_ofGatheredRows_fillsThemUp() {
    RaggedTensor ragged = new RaggedTensor(tf.constant("a", "b", "c"), tf.constant(0L, 1L, 3L));
    RaggedTensor gathered = tf.ragged.gather(ragged, tf.constant(1, 0));
    Output dense = tf.ragged.toDense(gathered, tf.constant("-"));

    try (Session session = Session.local(tf.graph());
        StepResult result = session.runner().fetch(dense).run()) {
      assertThat(result.get(0).toStrings()).containsExactly("b", "c", "a", "-");
    }
  }
}
