package dev.tributary.interop;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import dev.tributary.testing.Sessions;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.BatchNormalization;
import dev.tributary.train.model.Conv2D;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Dropout;
import dev.tributary.train.model.Flatten;
import dev.tributary.train.model.LossOptions;
import dev.tributary.train.model.Losses;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.model.Pooling2D;
import dev.tributary.train.optimizer.AdadeltaOptimizer;
import dev.tributary.train.optimizer.AdagradOptimizer;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.FtrlOptimizer;
import dev.tributary.train.optimizer.GradientClipping;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.optimizer.LearningRates;
import dev.tributary.train.optimizer.MomentumOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.optimizer.RmsPropOptimizer;
import dev.tributary.train.variable.EmbeddingLookup;
import dev.tributary.train.variable.EmbeddingLookup.Strategy;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten steps of training by our library give the same variables and slots here and in stock. */
@RequiresStockTensorFlow
class OptimizersInteropTest {
  private static final int STEPS = 10;

  private final Ops tf = Ops.create();
  private final VariableScope scope = VariableScope.of(tf);

  static Stream<Arguments> optimizers() {
    return Stream.of(
        optimizer("GradientDescent", () -> new GradientDescentOptimizer(0.1)),
        optimizer("Momentum", () -> new MomentumOptimizer(0.1, 0.9)),
        optimizer("Nesterov", () -> new MomentumOptimizer(0.1, 0.9).withNesterov()),
        optimizer("Adagrad", () -> new AdagradOptimizer(0.1)),
        optimizer("Adadelta", () -> new AdadeltaOptimizer(1, 0.9, 1e-4)),
        optimizer("Adam", () -> new AdamOptimizer(0.1)),
        optimizer("RMSProp", () -> new RmsPropOptimizer(0.1, 0.9, 0.5, 1e-3)),
        optimizer(
            "centered RMSProp", () -> new RmsPropOptimizer(0.1, 0.9, 0.5, 1e-3).withCentering()),
        optimizer("Ftrl", () -> new FtrlOptimizer(0.1, -0.5, 0.01, 0.02)));
  }

  private static Arguments optimizer(String name, Supplier<Optimizer> optimizer) {
    return Arguments.of(name, optimizer);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void dense_tenSteps_areStocks(String name, Supplier<Optimizer> optimizer) {
    tf.graph().setSeed(7);
    Output x = tf.random.normal(tf.constant(8, 5), DataType.FLOAT, 3);
    Output hidden = Dense.of(6).withActivation(Activation.TANH).apply(scope.open("hidden"), x);
    Output y = Dense.of(2).apply(scope.open("out"), hidden);
    Output loss =
        Losses.meanSquaredError(Constants.taking(tf, Tensor.zeros(y.type(), Shape.of(8, 2))), y);
    Variable step = GlobalStep.create(tf);

    requireAlike(optimizer.get().minimize(tf, loss, step), List.of(loss));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void sparse_tenSteps_areStocks(String name, Supplier<Optimizer> optimizer) {
    tf.graph().setSeed(7);
    PartitionedVariable table =
        scope.getPartitionedVariable(
            VariableSpec.of("table", Shape.of(7, 3)), Partitioner.fixedSize(2, 0));
    Output ids = tf.constant(6, 1, 1, 3, 6, 2);
    Output rows = EmbeddingLookup.of(tf, table.parts(), ids, Strategy.DIV);
    Output loss = Losses.meanSquaredError(tf.onesLike(rows), rows);

    requireAlike(optimizer.get().minimize(tf, loss), List.of(loss));
  }

  @Test
  void model_ofAllLayers_trainsAsInStock() {
    tf.graph().setSeed(11);
    Output images = tf.random.normal(tf.constant(4, 8, 8, 2), DataType.FLOAT, 5);
    Output labels = tf.constant(0, 1, 2, 1);
    Output x = Conv2D.of(4, 3).withStrides(1, Padding.SAME).apply(scope.openNew("conv2d"), images);
    x = BatchNormalization.of(true).apply(scope.openNew("batch_normalization"), x);
    x = Activation.RELU.apply(tf, x);
    x = Pooling2D.max(2, 2, Padding.SAME).apply(scope, x);
    x = new Flatten().apply(scope, x);
    x =
        Dense.of(16)
            .withKernelInitializer(Initializers.heNormal())
            .apply(scope.openNew("dense"), x);
    x = BatchNormalization.of(true).apply(scope.openNew("batch_normalization"), x);
    x = Activation.ELU.apply(tf, x);
    x = new Dropout(0.2, true).apply(scope, x);
    Output logits = Dense.of(3).apply(scope.openNew("dense"), x);
    Output loss =
        Losses.softmaxCrossEntropy(
            tf.oneHot(labels, 3), logits, LossOptions.defaults().withLabelSmoothing(0.1));
    Output accuracy =
        Metrics.of(scope).accuracy(labels, tf.cast(tf.argMax(logits, 1), labels.type())).update();
    Variable step = GlobalStep.create(tf);
    Output rate = LearningRates.exponentialDecay(tf, 0.05, step.value(), 3, 0.9, false);
    Optimizer adam = new AdamOptimizer(rate, 0.9, 0.999, 1e-3);
    Operation train =
        adam.applyGradients(
            tf, GradientClipping.byGlobalNorm(tf, adam.computeGradients(tf, loss), 0.5), step);
    List<Operation> all = new ArrayList<>();
    tf.graph().collection("update_ops").forEach(op -> all.add((Operation) op));
    all.add(
        new ExponentialMovingAverage(0.9, step.value())
            .apply(tf.withControlDependencies(train), Variables.trainable(tf.graph())));

    requireAlike(tf.group(all), List.of(loss, accuracy));
  }

  /** Trains here and in stock, and compares some values of each step and all variables after it. */
  private void requireAlike(Operation train, List<Output> values) {
    Operation init = Variables.globalInitializer(tf);
    Operation initLocal = Variables.localInitializer(tf);
    List<Output> variables = new ArrayList<>();
    Variables.global(tf.graph()).forEach(v -> variables.add(v.value()));
    Variables.local(tf.graph()).forEach(v -> variables.add(v.value()));
    try (StockSession stock = new StockSession(GraphDefs.toProto(tf.graph()));
        Session here = Sessions.local(tf.graph())) {
      stock.runTargets(init.name(), initLocal.name());
      here.run(init);
      here.run(initLocal);
      for (int i = 1; i <= STEPS; i++) {
        List<Tensor> expected = stock.run(Map.of(), names(values), List.of(train.name()));
        StepRunner step = here.runner().target(train);
        values.forEach(step::fetch);
        try (StepResult actual = step.run()) {
          TensorCompare.requireEqual("values of step " + i, actual, expected, type -> 1e-5);
        }
        StepRunner read = here.runner();
        variables.forEach(read::fetch);
        List<Tensor> stocks = stock.run(Map.of(), names(variables), List.of());
        try (StepResult ours = read.run()) {
          TensorCompare.requireEqual("variables after step " + i, ours, stocks, type -> 1e-5);
        }
      }
    }
  }

  private static List<String> names(List<Output> outputs) {
    return outputs.stream().map(Output::name).toList();
  }
}
