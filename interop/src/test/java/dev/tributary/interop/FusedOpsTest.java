package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.trace.StepTrace;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;

/**
 * Products with a bias and an activation, as our steps fuse them, are what stock TensorFlow's own
 * fused ops give.
 */
@RequiresStockTensorFlow
class FusedOpsTest {
  private static final double TOLERANCE = 1e-4;

  private final Random random = new Random(3);

  /** An activation: its name in the fused op, and its client method. */
  private record Behind(String name, BiFunction<Ops, Output, Output> function) {}

  private static final List<Behind> ACTIVATIONS =
      List.of(
          new Behind("Relu", (tf, x) -> tf.relu(x)),
          new Behind("Relu6", (tf, x) -> tf.nn.relu6(x)),
          new Behind("Elu", (tf, x) -> tf.nn.elu(x)),
          new Behind("Tanh", (tf, x) -> tf.tanh(x)));

  @Test
  void fusedMatMul_anyActivation_equalsStock() {
    for (long[] s : new long[][] {{1, 1, 1}, {5, 7, 3}, {33, 17, 65}, {64, 100, 20}}) {
      try (Tensor a = noise(s[0], s[1]);
          Tensor b = noise(s[1], s[2]);
          Tensor bias = noise(s[2])) {
        for (Behind behind : ACTIVATIONS) {
          Ops tf = Ops.create();
          Output product = tf.matMul(fed(tf, 0, a), fed(tf, 1, b));
          Output ours = behind.function.apply(tf, tf.biasAdd(product, fed(tf, 2, bias)));
          compare("_FusedMatMul", Map.of("fused_ops", fusedOps(behind)), ours, List.of(a, b, bias));
        }
      }
    }
  }

  @Test
  void fusedConv2d_anyActivation_equalsStock() {
    for (long[] s : new long[][] {{1, 1, 3}, {3, 8, 16}, {5, 3, 7}, {5, 1, 32}}) {
      for (int stride = 1; stride <= 2; stride++) {
        for (Padding padding : List.of(Padding.SAME, Padding.VALID)) {
          try (Tensor x = noise(3, 11, 9, s[1]);
              Tensor w = noise(s[0], s[0], s[1], s[2]);
              Tensor bias = noise(s[2])) {
            for (Behind behind : ACTIVATIONS.subList(0, 3)) {
              Ops tf = Ops.create();
              ConvOptions options = ConvOptions.of(stride, padding);
              Output product = tf.conv2d(fed(tf, 0, x), fed(tf, 1, w), options);
              Output ours = behind.function.apply(tf, tf.biasAdd(product, fed(tf, 2, bias)));
              Map<String, AttrValue> attributes =
                  Map.of(
                      "fused_ops", fusedOps(behind),
                      "strides", integers(1, stride, stride, 1),
                      "padding", Nodes.text(padding.name()),
                      "num_args", Nodes.number(1),
                      "num_host_args", Nodes.number(0),
                      "TArgs", Nodes.types(List.of(bias.type())));
              compare("_FusedConv2D", attributes, ours, List.of(x, w, bias));
            }
          }
        }
      }
    }
  }

  private static void compare(
      String op, Map<String, AttrValue> attributes, Output ours, List<Tensor> inputs) {
    List<Tensor> stock = StockTensorFlow.runOp(op, attributes, inputs);
    try (Session session = Session.local(ours.operation().graph())) {
      var runner = session.runner().fetch(ours).options(RunOptions.defaults().withTrace());
      for (int i = 0; i < inputs.size(); i++) {
        runner.feed("input" + i + ":0", inputs.get(i));
      }
      try (StepResult result = runner.run()) {
        assertThat(result.trace().orElseThrow().nodes())
            .extracting(StepTrace.NodeTrace::op)
            .contains(op);
        TensorCompare.requireEqual(op + " " + attributes, result, stock, type -> TOLERANCE);
      }
    } finally {
      stock.forEach(Tensor::close);
    }
  }

  private static AttrValue fusedOps(Behind behind) {
    AttrValue.ListValue.Builder names = AttrValue.ListValue.newBuilder();
    for (String name : List.of("BiasAdd", behind.name)) {
      names.addS(ByteString.copyFromUtf8(name));
    }
    return AttrValue.newBuilder().setList(names).build();
  }

  private static AttrValue integers(long... values) {
    AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
    for (long value : values) {
      list.addI(value);
    }
    return AttrValue.newBuilder().setList(list).build();
  }

  private static Output fed(Ops tf, int input, Tensor like) {
    return tf.withName("input" + input).placeholder(like.type(), like.shape());
  }

  private Tensor noise(long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(shape, values);
  }
}
