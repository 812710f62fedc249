package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import org.junit.jupiter.api.Test;

/** Which operations a summed gradient takes; that the sums are right is the op table's business. */
class BroadcastGradientsTest {
  private final Ops tf = Ops.create();

  @Test
  void gradient_ofKnownEqualShape_isTakenAsItIs() {
    Output x = placeholder(2, 3);
    Output gradient = placeholder(2, 3);

    assertThat(BroadcastGradients.reduce(tf, x, gradient)).isSameAs(gradient);
  }

  @Test
  void gradient_ofBias_isOneSumEvenIfBatchIsUnknown() {
    Output bias = placeholder(10);

    Output reduced = BroadcastGradients.reduce(tf, bias, placeholder(-1, 10));

    assertThat(reduced.operation().type()).isEqualTo("Sum");
    assertThat(reduced.shape()).isEqualTo(Shape.of(10));
  }

  @Test
  void gradient_ofSizeOne_getsItsShapeBack() {
    Output reduced = BroadcastGradients.reduce(tf, placeholder(2, 1, 3), placeholder(5, 2, 4, 3));

    assertThat(reduced.operation().type()).isEqualTo("Reshape");
    assertThat(reduced.shape()).isEqualTo(Shape.of(2, 1, 3));
  }

  @Test
  void gradient_ofUnknownSizes_isSummedOverAxesFoundWhenItRuns() {
    Output reduced = BroadcastGradients.reduce(tf, placeholder(-1, 3), placeholder(-1, 3));

    Output sum = reduced.operation().input(0);
    assertThat(sum.operation().type()).isEqualTo("Sum");
    assertThat(sum.operation().input(1).operation().type()).isEqualTo("BroadcastGradientArgs");
  }

  private Output placeholder(long... sizes) {
    return tf.placeholder(DataType.FLOAT, Shape.of(sizes));
  }
}
