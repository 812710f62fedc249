package dev.tributary.train.distribute;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.Pair;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A training program with a strategy: a small dense net on seeded numbers. Tests change parts of
 * it.
 */
final class SmallNet {
  static final int BATCH = 12;
  static final int EXAMPLES = 60;

  /** The layers of a net, from inputs to three logits. */
  interface Layers {
    Output logits(VariableScope scope, Output inputs);
  }

  /** A training step of a replica. */
  interface Update {
    Operation train(Optimizer optimizer, Ops tf, Output loss, Variable step);
  }

  private final Strategy strategy;
  private Layers layers = SmallNet::dense;
  private Update update = (optimizer, tf, loss, step) -> optimizer.minimize(tf, loss, step);
  private Supplier<Optimizer> optimizer = () -> new AdamOptimizer(0.01);

  final Ops tf = Ops.create();
  Variable step;
  Output loss;
  Operation begin;

  private SmallNet(Strategy strategy) {
    this.strategy = strategy;
  }

  static SmallNet under(Strategy strategy) {
    return new SmallNet(strategy);
  }

  SmallNet withLayers(Layers newLayers) {
    layers = newLayers;
    return this;
  }

  SmallNet withUpdate(Update newUpdate) {
    update = newUpdate;
    return this;
  }

  SmallNet withOptimizer(Supplier<Optimizer> newOptimizer) {
    optimizer = newOptimizer;
    return this;
  }

  static Output dense(VariableScope scope, Output inputs) {
    Output hidden = Dense.of(7).withActivation(Activation.TANH).apply(scope.open("hidden"), inputs);
    return Dense.of(3).apply(scope.open("logits"), hidden);
  }

  /** Examples of five numbers and a class that depends on them. */
  static Dataset<Pair<Output, Output>> examples(int count) {
    Random random = new Random(7);
    float[][] x = new float[count][5];
    int[] y = new int[count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < 5; j++) {
        x[i][j] = (float) random.nextGaussian();
      }
      y[i] = x[i][0] + x[i][1] > 0.3f ? 2 : x[i][2] > 0 ? 1 : 0;
    }
    return Dataset.tensorSlices(x, y);
  }

  static Output lossOfEach(Ops tf, Operand logits, Operand labels) {
    return tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits);
  }

  SmallNet build() {
    return build(examples(EXAMPLES).batch(BATCH).repeat());
  }

  SmallNet build(Dataset<Pair<Output, Output>> data) {
    tf.graph().setSeed(3);
    try (StrategyScope scope = strategy.scope(tf)) {
      VariableScope model =
          VariableScope.of(scope.tf()).withInitializer(Initializers.glorotUniform().withSeed(5));
      step = GlobalStep.getOrCreate(scope.tf());
      Optimizer chosen = optimizer.get();
      DistributedIterator<Pair<Output, Output>> input = strategy.makeDatasetIterator(tf, data);
      begin = input.initializer();
      PerReplica<Output> losses =
          strategy.run(
              tf,
              input.next(),
              (replica, batch) -> {
                Output logits = layers.logits(replica.in(model), batch.first());
                Output each = lossOfEach(replica.tf(), logits, batch.second());
                Output own = Losses.computeAverageLoss(replica.tf(), each, BATCH);
                Operation train = update.train(chosen, replica.tf(), own, step);
                return replica.tf().withControlDependencies(train).identity(own);
              });
      loss = strategy.reduce(tf, ReduceOp.SUM, losses);
    }
    return this;
  }

  /** Opens a session in which the net has its initial values. */
  Session start() {
    return start(
        graph -> Session.local(graph, strategy.configure(SessionOptions.defaults())), true);
  }

  /**
   * Opens a session of one of several workers.
   *
   * @param isChief whether it gives the net its initial values
   */
  Session start(Function<Graph, Session> opening, boolean isChief) {
    Operation initializer = Variables.globalInitializer(tf);
    Operation local = Variables.localInitializer(tf);
    Session session = opening.apply(tf.graph());
    if (isChief) {
      session.run(initializer);
    }
    session.run(local, begin);
    return session;
  }

  List<Float> train(Session session, int steps) {
    List<Float> losses = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      losses.add(session.fetch(loss).floatValue());
    }
    return losses;
  }

  /** Builds the net, trains it and returns the loss of each step. */
  List<Float> losses(int steps) {
    build();
    try (Session session = start()) {
      return train(session, steps);
    }
  }
}
