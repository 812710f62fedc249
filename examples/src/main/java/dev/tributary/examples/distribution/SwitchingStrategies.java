package dev.tributary.examples.distribution;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.Pair;
import dev.tributary.train.distribute.CentralStorageStrategy;
import dev.tributary.train.distribute.DistributedIterator;
import dev.tributary.train.distribute.MirroredStrategy;
import dev.tributary.train.distribute.OneDeviceStrategy;
import dev.tributary.train.distribute.PerReplica;
import dev.tributary.train.distribute.ReduceOp;
import dev.tributary.train.distribute.Strategy;
import dev.tributary.train.distribute.StrategyScope;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import java.util.List;

/** Finds a line through points, by the same program under several strategies. */
public final class SwitchingStrategies {
  private static final int BATCH = 8;

  private SwitchingStrategies() {}

  public static void main(String[] arguments) {
    List<Strategy> strategies =
        List.of(
            OneDeviceStrategy.of("/device:CPU:0"),
            MirroredStrategy.of(2),
            MirroredStrategy.of(4),
            CentralStorageStrategy.of(2));
    for (Strategy strategy : strategies) {
      System.out.printf("%s: loss %.6f%n", strategy, train(strategy));
    }
  }

  private static float train(Strategy strategy) {
    Dataset<Pair<Output, Output>> points =
        Dataset.tensorSlices(
            new float[] {-4, -3, -2, -1, 0, 1, 2, 3}, new float[] {-7, -5, -3, -1, 1, 3, 5, 7});
    Ops tf = Ops.create();
    try (StrategyScope scope = strategy.scope(tf)) {
      var w = scope.tf().variable("w", 0f);
      var b = scope.tf().variable("b", 0f);
      var optimizer = new GradientDescentOptimizer(0.05);
      DistributedIterator<Pair<Output, Output>> input =
          strategy.makeDatasetIterator(tf, points.repeat().batch(BATCH));
      PerReplica<Output> losses =
          strategy.run(
              tf,
              input.next(),
              (replica, point) -> {
                Ops here = replica.tf();
                Output line = here.add(here.mul(w, point.first()), b);
                Output each = here.squaredDifference(line, point.second());
                Output loss = Losses.computeAverageLoss(here, each, BATCH);
                Operation train = optimizer.minimize(here, loss);
                return here.withControlDependencies(train).identity(loss);
              });
      Output loss = strategy.reduce(tf, ReduceOp.SUM, losses);
      Operation init = tf.globalVariablesInitializer();
      SessionOptions options = strategy.configure(SessionOptions.defaults());
      try (Session session = Session.local(tf.graph(), options)) {
        session.run(init, input.initializer());
        for (int step = 1; step < 40; step++) {
          session.fetch(loss);
        }
        return session.fetch(loss).floatValue();
      }
    }
  }
}
