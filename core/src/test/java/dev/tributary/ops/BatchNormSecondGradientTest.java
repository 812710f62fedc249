package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.optable.Draw;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.Constants;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The second gradients of the fused op are those of batch normalisation written out in plain ops.
 */
@NoLeaks
class BatchNormSecondGradientTest {
  private static final float EPSILON = 0.01f;

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @ParameterizedTest
  @CsvSource({"true,NHWC,1", "false,NHWC,2", "true,NCHW,3", "false,NCHW,4"})
  void secondGradient_fused_isThatOfPlainOps(boolean training, String format, long seed) {
    boolean last = format.equals("NHWC");
    Draw draw = new Draw(seed, DataType.FLOAT, Draw.Size.ORDINARY);
    Shape image = last ? Shape.of(3, 2, 4, 2) : Shape.of(3, 2, 2, 4);
    Shape broad = last ? Shape.of(1, 1, 1, 2) : Shape.of(1, 2, 1, 1);
    int[] axes = last ? new int[] {0, 1, 2} : new int[] {0, 2, 3};
    Output x = Constants.taking(tf, draw.tensor(image));
    Output dy = Constants.taking(tf, draw.tensor(image));
    Output weight = Constants.taking(tf, draw.tensor(image));
    Output scale = vector(draw);
    Output offset = vector(draw);
    Output mean = vector(draw);
    Output variance = tf.square(vector(draw));

    Output fused =
        tf.scope()
            .operation("FusedBatchNormV3")
            .input(x)
            .input(scale)
            .input(offset)
            .input(mean)
            .input(variance)
            .attr("epsilon", EPSILON)
            .attr("data_format", format)
            .attr("is_training", training)
            .buildOutput();
    Output centre = training ? tf.mean(x, true, axes) : shaped(mean, broad);
    Output centred = tf.sub(x, centre);
    Output spread = training ? tf.mean(tf.square(centred), true, axes) : shaped(variance, broad);
    Output normal = tf.mul(centred, tf.math.rsqrt(tf.math.shift(spread, EPSILON)));
    Output plain = tf.add(tf.mul(normal, shaped(scale, broad)), shaped(offset, broad));

    List<Output> xs = List.of(x, scale, dy);
    List<Output> expected = Gradients.dense(tf, first(plain, x, scale, offset, dy, weight), xs);
    List<Output> actual = Gradients.dense(tf, first(fused, x, scale, offset, dy, weight), xs);
    try (Session session = Session.local(tf.graph());
        StepResult wanted = session.runner().fetch(expected).run();
        StepResult result = session.runner().fetch(actual).run()) {
      for (int i = 0; i < xs.size(); i++) {
        float[] values = result.get(i).toFloats();
        for (int j = 0; j < values.length; j++) {
          assertThat(values[j])
              .as("%d, element %d", i, j)
              .isCloseTo(wanted.get(i).toFloats()[j], within(2e-3f));
        }
      }
    }
  }

  /**
   * A number that depends on all first gradients of y, weighed by dy, and on none of them alone.
   */
  private Output first(Output y, Output x, Output scale, Output offset, Output dy, Output weight) {
    Output sum = tf.sum(tf.mul(y, dy));
    List<Output> gradients = Gradients.dense(tf, sum, List.of(x, scale, offset));
    Output ofX = tf.sum(tf.mul(weight, gradients.get(0)));
    Output ofScale = tf.sum(tf.mul(gradients.get(1), tf.constant(0.5f, -1.5f)));
    Output ofOffset = tf.sum(tf.square(gradients.get(2)));
    return tf.addN(List.of(ofX, ofScale, ofOffset));
  }

  private Output vector(Draw draw) {
    return Constants.taking(tf, draw.tensor(Shape.of(2)));
  }

  private Output shaped(Output vector, Shape shape) {
    return tf.reshape(vector, shape.toArray());
  }
}
