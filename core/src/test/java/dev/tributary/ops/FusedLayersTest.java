package dev.tributary.ops;

import dev.tributary.graph.Output;
import dev.tributary.optable.Draw;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fused layers that TensorFlow's optimizer makes give what their parts give. */
@NoLeaks
class FusedLayersTest {
  private final Draw draw = new Draw(5, DataType.FLOAT, Draw.Size.ORDINARY);

  @Test
  void fusedDepthwiseConvolution_biasAndActivation_equalsItsParts() {
    for (List<String> fused :
        List.of(List.of("BiasAdd"), List.of("BiasAdd", "Relu"), List.of("BiasAdd", "Relu6"))) {
      for (int multiplier = 1; multiplier <= 2; multiplier++) {
        Ops tf = Ops.create();
        Output x = noise(tf, Shape.of(2, 7, 6, 3));
        Output filter = noise(tf, Shape.of(3, 3, 3, multiplier));
        Output bias = noise(tf, Shape.of(3L * multiplier));
        Output whole =
            tf.withName("fused")
                .scope()
                .operation("_FusedDepthwiseConv2dNative")
                .input(x)
                .input(filter)
                .inputList(List.of(bias))
                .attr("strides", new long[] {1, 1, 1, 1})
                .attr("padding", "SAME")
                .attr("fused_ops", fused)
                .buildOutput();
        Output parts =
            tf.biasAdd(
                tf.scope()
                    .operation("DepthwiseConv2dNative")
                    .input(x)
                    .input(filter)
                    .attr("strides", new long[] {1, 1, 1, 1})
                    .attr("padding", "SAME")
                    .buildOutput(),
                bias);
        requireEqual(tf, whole, activated(tf, parts, fused.get(fused.size() - 1)));
      }
    }
  }

  @Test
  void fusedBatchNorm_sideInputAndActivation_equalsItsParts() {
    for (boolean side : new boolean[] {false, true}) {
      for (String activation : List.of("Identity", "Relu")) {
        Ops tf = Ops.create();
        Shape channels = Shape.of(5);
        List<Output> inputs = new ArrayList<>();
        inputs.add(noise(tf, Shape.of(2, 3, 4, 5)));
        for (int i = 0; i < 3; i++) {
          inputs.add(noise(tf, channels));
        }
        inputs.add(Constants.taking(tf, draw.tensor(DataType.FLOAT, channels, 0.1, 2)));
        List<Output> sides = side ? List.of(noise(tf, Shape.of(2, 3, 4, 5))) : List.of();
        var fused = tf.withName("fused").scope().operation("_FusedBatchNormEx");
        inputs.forEach(fused::input);
        Output whole =
            fused
                .inputList(sides)
                .attr("U", DataType.FLOAT)
                .attr("num_side_inputs", sides.size())
                .attr("activation_mode", activation)
                .attr("is_training", false)
                .build()
                .output(0);
        var plain = tf.scope().operation("FusedBatchNormV3");
        inputs.forEach(plain::input);
        Output parts = plain.attr("is_training", false).build().output(0);
        parts = side ? tf.add(parts, sides.get(0)) : parts;
        requireEqual(tf, whole, activated(tf, parts, activation));
      }
    }
  }

  private static Output activated(Ops tf, Output x, String name) {
    return switch (name) {
      case "Relu" -> tf.relu(x);
      case "Relu6" -> tf.nn.relu6(x);
      default -> x;
    };
  }

  private Output noise(Ops tf, Shape shape) {
    return Constants.taking(tf, draw.tensor(shape));
  }

  private static void requireEqual(Ops tf, Output whole, Output parts) {
    try (Session session = Sessions.local(tf.graph());
        StepResult result = session.runner().fetch(whole).fetch(parts).run()) {
      List<Tensor> ours = result.subList(0, 1);
      TensorCompare.requireEqual("fused", ours, result.subList(1, 2), type -> 1e-5);
    }
  }
}
