package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.distribute.MirroredStrategy;
import dev.tributary.train.distribute.Strategy;
import dev.tributary.train.distribute.StrategyScope;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints of mirrored models, in stock with the plain model, and the other way round. */
@RequiresStockTensorFlow
class StrategyInteropTest {
  @TempDir Path folder;

  private final Ops mirrored = Ops.create();
  private final Ops plain = Ops.create();
  private final Strategy strategy = MirroredStrategy.of(2);

  private Operation buildMirrored() {
    AdamOptimizer adam = new AdamOptimizer(0.1);
    try (StrategyScope open = strategy.scope(mirrored)) {
      Variable w = VariableScope.of(open.tf()).getVariable("w", Shape.of(3, 2));
      Variable step = GlobalStep.create(open.tf());
      return strategy
          .run(
              mirrored,
              replica -> {
                Output loss = replica.tf().sum(replica.tf().square(w), 0, 1);
                return adam.minimize(replica.tf(), loss, step);
              })
          .first();
    }
  }

  private Operation buildPlain() {
    Variable w = VariableScope.of(plain).getVariable("w", Shape.of(3, 2));
    Variable step = GlobalStep.create(plain);
    return new AdamOptimizer(0.1).minimize(plain, plain.sum(plain.square(w), 0, 1), step);
  }

  /** The variables of a graph in the order of their names, which both models share. */
  private static List<Variable> variables(Ops tf) {
    return Variables.global(tf.graph()).stream()
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  @Test
  void checkpoint_ofMirroredModel_isRestoredInStockAndBack() {
    Operation train = buildMirrored();
    Operation trainPlain = buildPlain();
    Saver saver = Saver.of(mirrored.graph());
    Saver plainSaver = Saver.of(plain.graph());
    Operation init = Variables.globalInitializer(mirrored);
    List<String> reads = variables(plain).stream().map(v -> v.value().name()).toList();
    try (Session here =
            Session.local(mirrored.graph(), strategy.configure(SessionOptions.defaults()));
        StockSession stock = new StockSession(GraphDefs.toProto(plain.graph()))) {
      here.run(init);
      here.run(train);
      Path ours = saver.save(here, folder.resolve("ours"), 1);
      runStock(stock, plainSaver, ours, List.of(), plainSaver.restoreOp().name());
      requireEqual(here, 0, stock.run(Map.of(), reads, List.of()));

      stock.runTargets(trainPlain.name());
      Path stocks = folder.resolve("stocks");
      runStock(stock, plainSaver, stocks, List.of(plainSaver.saveTensor().name()));
      saver.restore(here, stocks);
      for (int copy = 0; copy < 2; copy++) {
        requireEqual(here, copy, stock.run(Map.of(), reads, List.of()));
      }
    } finally {
      mirrored.graph().close();
      plain.graph().close();
    }
  }

  private static void runStock(
      StockSession stock, Saver saver, Path prefix, List<String> fetches, String... targets) {
    try (Tensor file = Tensor.scalar(prefix.toString())) {
      Map<String, Tensor> feeds = Map.of(saver.filenameTensor().name(), file);
      stock.run(feeds, fetches, List.of(targets)).forEach(Tensor::close);
    }
  }

  private void requireEqual(Session here, int copy, List<Tensor> expected) {
    List<Output> values =
        variables(mirrored).stream()
            .map(variable -> variable.copies().orElseThrow().all().get(copy).value())
            .toList();
    assertThat(values).hasSameSizeAs(expected);
    try (StepResult actual = here.runner().fetch(values).run()) {
      TensorCompare.requireEqual("variables", actual, expected, type -> 0);
    }
  }
}
