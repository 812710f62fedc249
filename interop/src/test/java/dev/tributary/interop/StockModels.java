package dev.tributary.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.family.TNumber;

/**
 * Two small models as users of TensorFlow for Java write them, for stock and Tributary to train
 * side by side: a perceptron with rows of ones and zeros as labels, and a convolutional net with
 * class numbers. Each comes with either kind of variable.
 */
final class StockModels {
  /** How a model holds its parameters. */
  enum Variables {
    /** {@code VariableV2}, updated by {@code ApplyGradientDescent}. */
    REFERENCE,
    /** {@code VarHandleOp}, updated by {@code ResourceApplyGradientDescent}. */
    RESOURCE
  }

  private static final int CLASSES = 5;
  private static final List<Long> UNIT_STRIDES = List.of(1L, 1L, 1L, 1L);

  private final Graph graph;
  private final Ops tf;
  private final Variables kind;
  private final Random random = new Random(20);
  private final List<Parameter> parameters = new ArrayList<>();

  private StockModels(Graph graph, Variables kind) {
    this.graph = graph;
    this.tf = Ops.create(graph);
    this.kind = kind;
  }

  /** A perceptron of 20-16-8-5 units with rectified hidden layers. */
  static StockModel perceptron(Variables kind) {
    try (Graph graph = new Graph()) {
      return new StockModels(graph, kind).perceptron();
    }
  }

  /**
   * 8x8 pictures through two 3x3 convolutions (8 and 16 channels), the first one pooled 2x2, and a
   * dense layer.
   */
  static StockModel convolutional(Variables kind) {
    try (Graph graph = new Graph()) {
      return new StockModels(graph, kind).convolutional();
    }
  }

  private StockModel perceptron() {
    Placeholder<TFloat32> x = placeholder("x", TFloat32.class, Shape.of(-1, 20));
    Placeholder<TFloat32> labels = placeholder("labels", TFloat32.class, Shape.of(-1, CLASSES));
    Operand<TFloat32> hidden1 = tf.nn.relu(dense("hidden1", x, 20, 16));
    Operand<TFloat32> hidden2 = tf.nn.relu(dense("hidden2", hidden1, 16, 8));
    Operand<TFloat32> logits = dense("logits", hidden2, 8, CLASSES);
    return trained(
        x, labels, logits, tf.nn.softmaxCrossEntropyWithLogits(logits, labels).loss(), 0.2f);
  }

  private StockModel convolutional() {
    Placeholder<TFloat32> x = placeholder("x", TFloat32.class, Shape.of(-1, 8, 8, 1));
    Placeholder<TInt32> labels = placeholder("labels", TInt32.class, Shape.of(-1));
    Operand<TInt32> window = tf.constant(new int[] {1, 2, 2, 1});
    Operand<TFloat32> pooled =
        tf.nn.maxPool(tf.nn.relu(convolution("conv1", x, 1, 8)), window, window, "SAME");
    Operand<TFloat32> second = tf.nn.relu(convolution("conv2", pooled, 8, 16));
    Operand<TFloat32> flat = tf.reshape(second, tf.constant(new int[] {-1, 4 * 4 * 16}));
    Operand<TFloat32> logits = dense("logits", flat, 4 * 4 * 16, CLASSES);
    // Stock's native library has no gradient for the loss that takes class numbers.
    Operand<TFloat32> rows =
        tf.oneHot(labels, tf.constant(CLASSES), tf.constant(1f), tf.constant(0f));
    return trained(
        x, labels, logits, tf.nn.softmaxCrossEntropyWithLogits(logits, rows).loss(), 0.02f);
  }

  private <T extends TNumber> Placeholder<T> placeholder(String name, Class<T> type, Shape shape) {
    return tf.withName(name).placeholder(type, Placeholder.shape(shape));
  }

  private Operand<TFloat32> dense(String name, Operand<TFloat32> x, int from, int to) {
    Ops layer = tf.withSubScope(name);
    Operand<TFloat32> weights =
        parameter(layer, "weights", Shape.of(from, to), Math.sqrt(2.0 / from));
    Operand<TFloat32> biases = parameter(layer, "biases", Shape.of(to), 0.1);
    return layer.nn.biasAdd(layer.linalg.matMul(x, weights), biases);
  }

  private Operand<TFloat32> convolution(String name, Operand<TFloat32> x, int from, int to) {
    Ops layer = tf.withSubScope(name);
    Operand<TFloat32> filter =
        parameter(layer, "filter", Shape.of(3, 3, from, to), Math.sqrt(2.0 / (9 * from)));
    Operand<TFloat32> biases = parameter(layer, "biases", Shape.of(to), 0.1);
    return layer.nn.biasAdd(layer.nn.conv2d(x, filter, UNIT_STRIDES, "SAME"), biases);
  }

  /** A variable with normally distributed initial values; the result is its value. */
  private Operand<TFloat32> parameter(Ops layer, String name, Shape shape, double deviation) {
    float[] values = new float[(int) shape.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    Ops scope = layer.withSubScope(name);
    Operand<TFloat32> initial = scope.withName("initial").constant(shape, DataBuffers.of(values));
    Parameter parameter =
        kind == Variables.REFERENCE ? reference(scope, initial) : resource(scope, initial);
    parameters.add(parameter);
    return parameter.value();
  }

  private static Parameter reference(Ops scope, Operand<TFloat32> initial) {
    Variable<TFloat32> variable =
        scope.withName("variable").variable(initial.shape(), TFloat32.class);
    Op init = scope.withName("assign").assign(variable, initial);
    Operand<TFloat32> value = scope.withName("read").identity(variable);
    return new Parameter(
        scope,
        value,
        init,
        (ops, rate, gradient) -> ops.train.applyGradientDescent(variable, rate, gradient));
  }

  private Parameter resource(Ops scope, Operand<TFloat32> initial) {
    // Handles without a name of their own would all stand for one variable.
    VarHandleOp.Options named = VarHandleOp.sharedName("parameter" + parameters.size());
    VarHandleOp handle =
        scope.withName("variable").varHandleOp(TFloat32.class, initial.shape(), named);
    Op init = scope.withName("assign").assignVariableOp(handle, initial);
    Operand<TFloat32> value = scope.withName("read").readVariableOp(handle, TFloat32.class);
    return new Parameter(
        scope,
        value,
        init,
        (ops, rate, gradient) -> ops.train.resourceApplyGradientDescent(handle, rate, gradient));
  }

  private StockModel trained(
      Placeholder<TFloat32> x,
      Placeholder<?> labels,
      Operand<TFloat32> logits,
      Operand<TFloat32> losses,
      float learningRate) {
    Operand<TFloat32> loss = tf.withName("loss").math.mean(losses, tf.constant(new int[] {0}));
    Output<?>[] values =
        parameters.stream()
            .map(parameter -> parameter.value().asOutput())
            .toArray(Output<?>[]::new);
    Output<?>[] gradients = graph.addGradients(loss.asOutput(), values);
    Operand<TFloat32> rate = tf.withName("learning_rate").constant(learningRate);
    List<Op> updates = new ArrayList<>();
    for (int i = 0; i < gradients.length; i++) {
      Parameter parameter = parameters.get(i);
      // Without this order an update could change weights that the gradients of lower layers still
      // read.
      Ops afterGradients =
          parameter.scope().withControlDependencies(List.<Op>of(gradients)).withName("update");
      updates.add(
          parameter.update().add(afterGradients, rate, gradients[i].expect(TFloat32.class)));
    }
    Op init =
        tf.withControlDependencies(parameters.stream().map(Parameter::init).toList())
            .withName("init")
            .noOp();
    Op train = tf.withControlDependencies(updates).withName("train").noOp();
    return new StockModel(
        graph.toGraphDef(),
        init.op().name(),
        train.op().name(),
        name(loss.asOutput()),
        name(logits.asOutput()),
        name(x.asOutput()),
        name(labels.asOutput()),
        names(values),
        names(gradients),
        dev.tributary.tensor.Shape.of(x.shape().tail().asArray()),
        CLASSES,
        labels.type() == TInt32.class);
  }

  private static List<String> names(Output<?>[] outputs) {
    return List.of(outputs).stream().map(StockModels::name).toList();
  }

  private static String name(Output<?> output) {
    return output.op().name() + ":" + output.index();
  }

  private record Parameter(Ops scope, Operand<TFloat32> value, Op init, Update update) {}

  private interface Update {
    Op add(Ops ops, Operand<TFloat32> rate, Operand<TFloat32> gradient);
  }
}
